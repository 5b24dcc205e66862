import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { boolean, text } from "../apimachinery/option-types.ts";
import { addEarlyEnd, addUnannouncedEnd, type DeprecationFinding } from "./deprecation-finding.ts";
import { betaElement, checkOrder } from "./lint-elements.ts";
import { releaseOf, releaseText } from "./planned-release.ts";
import { optionalMinor, type Wait } from "./release-dates.ts";

/** A feature gate: the releases of its stages. */
export interface LintedGate {
  readonly name: string;
  readonly alpha?: string;
  readonly beta?: string;
  readonly ga?: string;
  /** The release that gives the feature up. */
  readonly dropped?: string;
  /** The release that deprecates the gate. Default: that of `ga` or `dropped`. */
  readonly deprecated?: string;
  /** The release that does not have the gate any more. */
  readonly removed?: string;
  /** Whether its use prints a warning once it is deprecated. Default: true. */
  readonly warns?: boolean;
}

const gateOptionTypes: { readonly [option in keyof Required<LintedGate>]: OptionType } = {
  name: { ...text, isRequired: true },
  alpha: releaseText,
  beta: releaseText,
  ga: releaseText,
  dropped: releaseText,
  deprecated: releaseText,
  removed: releaseText,
  warns: boolean,
};

/** The releases of a gate's stages by their numbers. */
type GateLife = { readonly [state in Exclude<keyof LintedGate, "name" | "warns">]: number | undefined };

const gaGate: Wait = { releases: 2, months: 6 };

/** Rules #9 and #10 for one feature gate. */
export function addGateFindings(findings: DeprecationFinding[], gate: LintedGate, title: string): void {
  checkOptions(title, gate, gateOptionTypes);
  const life = parsedLife(gate, title);
  const subject = `feature gate ${gate.name}`;
  const transition = life.ga ?? life.dropped;
  const { deprecated } = life;
  if (transition !== undefined && deprecated !== undefined && deprecated > transition) {
    const state = life.ga === undefined ? "given up" : "GA";
    const message = `deprecated in ${releaseOf(deprecated)}, but the feature is ${state} in ${releaseOf(transition)}: the gate has to be deprecated then`;
    findings.push({ rule: "#9", subject, message, earliest: releaseOf(transition) });
  }
  addRemoval(findings, life, subject);
  if ((deprecated ?? transition) !== undefined && gate.warns === false)
    findings.push({ rule: "#10", subject, message: "deprecated, but its use does not print a warning" });
}

/** The gate of an alpha feature may go at once. */
function addRemoval(
  findings: DeprecationFinding[],
  { beta, ga, dropped, deprecated, removed }: GateLife,
  subject: string,
): void {
  if (removed === undefined || (ga === undefined && beta === undefined)) return;
  const wait = ga === undefined ? betaElement : gaGate;
  const end = { rule: "#9", subject, what: "removed", at: removed, wait } as const;
  const since = ga ?? dropped ?? deprecated;
  if (since === undefined) addUnannouncedEnd(findings, end);
  else addEarlyEnd(findings, { ...end, state: ga === undefined ? "given up" : "GA", since });
}

/** @throws {Error} for stages that contradict each other */
function parsedLife(gate: LintedGate, title: string): GateLife {
  const minorOf = (text: string | undefined) => optionalMinor(title, text);
  const life: GateLife = {
    alpha: minorOf(gate.alpha),
    beta: minorOf(gate.beta),
    ga: minorOf(gate.ga),
    dropped: minorOf(gate.dropped),
    deprecated: minorOf(gate.deprecated),
    removed: minorOf(gate.removed),
  };
  const { alpha, beta, ga, dropped, deprecated, removed } = life;
  if (ga !== undefined && dropped !== undefined)
    throw new Error(`${title}: the feature is GA, so it is not given up: leave out ga or dropped`);
  if (alpha === undefined && beta === undefined && ga === undefined)
    throw new Error(`${title}: the feature has no stage: add alpha, beta or ga`);
  checkOrder(title, [
    ["alpha", alpha],
    ["beta", beta],
    ["ga", ga],
    ["dropped", dropped],
    ["removed", removed],
  ]);
  checkOrder(title, [
    ["deprecated", deprecated],
    ["removed", removed],
  ]);
  return life;
}
