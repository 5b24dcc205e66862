import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { oneOf, text } from "../apimachinery/option-types.ts";
import { addEarlyEnd, addUnannouncedEnd, type DeprecationFinding } from "./deprecation-finding.ts";
import { checkOrder } from "./lint-elements.ts";
import { releaseText } from "./planned-release.ts";
import { optionalMinor, requiredMinor, type Wait } from "./release-dates.ts";

type MetricClass = "STABLE" | "BETA" | "ALPHA";

/** A metric. */
export interface LintedMetric {
  readonly name: string;
  /** Default: "ALPHA", as for every metric that does not say otherwise. */
  readonly class?: MetricClass;
  readonly introduced: string;
  readonly deprecated?: string;
  /** The first release that shows it only on demand. */
  readonly hidden?: string;
  readonly removed?: string;
}

const required = { ...text, isRequired: true } as const;

const metricOptionTypes: { readonly [option in keyof Required<LintedMetric>]: OptionType } = {
  name: required,
  class: oneOf("STABLE", "BETA", "ALPHA"),
  introduced: { ...releaseText, isRequired: true },
  deprecated: releaseText,
  hidden: releaseText,
  removed: releaseText,
};

/** How long a metric functions: altogether, and after its deprecation. */
const waits: { readonly [of in MetricClass]: { readonly life: Wait; readonly deprecated: Wait } } = {
  STABLE: { life: { releases: 4, months: 12 }, deprecated: { releases: 3, months: 9 } },
  BETA: { life: { releases: 2, months: 8 }, deprecated: { releases: 1, months: 4 } },
  ALPHA: { life: { releases: 0, months: 0 }, deprecated: { releases: 0, months: 0 } },
};

/** Rules #11a and #11b for one metric. */
export function addMetricFindings(findings: DeprecationFinding[], metric: LintedMetric, title: string): void {
  checkOptions(title, metric, metricOptionTypes);
  const introduced = requiredMinor(title, metric.introduced);
  const deprecated = optionalMinor(title, metric.deprecated);
  const [hidden, removed] = [optionalMinor(title, metric.hidden), optionalMinor(title, metric.removed)];
  checkOrder(title, [
    ["introduced", introduced],
    ["deprecated", deprecated],
    ["hidden", hidden],
    ["removed", removed],
  ]);
  const at = hidden ?? removed;
  if (at === undefined) return;
  const { life, deprecated: wait } = waits[metric.class ?? "ALPHA"];
  const subject = `metric ${metric.name}`;
  const what = hidden === undefined ? "removed" : "hidden";
  addEarlyEnd(findings, {
    rule: "#11a",
    subject,
    what,
    at,
    state: "introduced",
    since: introduced,
    wait: life,
  });
  const end = { rule: "#11b", subject, what, at, wait } as const;
  if (deprecated === undefined) addUnannouncedEnd(findings, end);
  else addEarlyEnd(findings, { ...end, state: "deprecated", since: deprecated });
}
