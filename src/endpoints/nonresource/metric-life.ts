import { type Release, releasesOnTheWay, sinceOf } from "../../apimachinery/release.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import type { MetricsOptions } from "../contract/metrics-options.ts";
import { withAllowedLabels } from "./allowed-labels.ts";
import { type MetricFacts, metricFacts, type StabilityLevel } from "./metric-facts.ts";

/** A metric as a release shows it. */
export interface RegisteredFamily {
  readonly family: MetricFamily;
  readonly stability: StabilityLevel;
  /** The release since which it is deprecated; undefined unless the release says so. */
  readonly deprecated: Release | undefined;
}

/** The metrics that a server shows, and how many it does not because they are deprecated or disabled. */
export interface RegisteredFamilies {
  readonly shown: readonly RegisteredFamily[];
  readonly hidden: number;
}

/** The metrics of a release out of those that the server counts. */
export function registered(
  families: readonly MetricFamily[],
  release: Release,
  { showHidden, disabled, allowedLabels }: MetricsOptions,
): RegisteredFamilies {
  const all = families.flatMap((family) =>
    registeredFamily(withAllowedLabels(family, allowedLabels), release),
  );
  const shown = all.filter(
    (one) => !disabled.has(one.family.name) && (showHidden || !isHidden(one, release)),
  );
  return { shown, hidden: all.length - shown.length };
}

const factsByName: ReadonlyMap<string, MetricFacts> = new Map(metricFacts.map((one) => [one.name, one]));

const ascending: readonly StabilityLevel[] = ["INTERNAL", "ALPHA", "BETA", "STABLE"];

/** Empty if the release does not have the metric. */
function registeredFamily(family: MetricFamily, release: Release): readonly RegisteredFamily[] {
  const facts = factsByName.get(family.name);
  if (facts === undefined) return [{ family, stability: "ALPHA", deprecated: undefined }];
  const since = sinceOf(release);
  const { levels, removed, deprecated, announced = deprecated } = facts;
  const stability = ascending.findLast((level) => {
    const first = levels[level];
    return first !== undefined && since(first);
  });
  if (stability === undefined || (removed !== undefined && since(removed))) return [];
  return [
    { family, stability, deprecated: announced !== undefined && since(announced) ? deprecated : undefined },
  ];
}

/** How many releases a deprecated metric is shown, from 1.35 on. */
const shownReleases: { readonly [level in StabilityLevel]: number } = {
  INTERNAL: 0,
  ALPHA: 0,
  BETA: 1,
  STABLE: 3,
};

/**
 * Until 1.34, the release after that of the deprecation hides every metric (component-base, metrics/registry.go, `shouldHide`).
 * A metric may be deprecated from a later release on; then it is not hidden yet.
 */
function isHidden({ deprecated, stability }: RegisteredFamily, release: Release): boolean {
  if (deprecated === undefined) return false;
  const wait = sinceOf(release)("1.35") ? shownReleases[stability] : 1;
  return releasesOnTheWay(deprecated, release).length >= wait;
}
