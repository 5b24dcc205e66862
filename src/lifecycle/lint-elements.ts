import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { boolean, oneOf, text } from "../apimachinery/option-types.ts";
import {
  addEarlyEnd,
  addLessStable,
  addUnannouncedEnd,
  type DeprecationFinding,
  type Replacement,
} from "./deprecation-finding.ts";
import { releaseOf, releaseText } from "./planned-release.ts";
import { optionalMinor, type Wait } from "./release-dates.ts";
import { type Track, tracks } from "./version-track.ts";

export const defaultComponent = "kube-apiserver";

/** A flag or command. */
export interface LintedFlag {
  readonly name: string;
  /** The program, such as "kubectl". Default: kube-apiserver. */
  readonly component?: string;
  /** Whether users or administrators call the program. Default: "user" for kubectl, otherwise "admin". */
  readonly audience?: "user" | "admin";
  /** Default: "GA", as for every flag that does not say otherwise. */
  readonly stability?: Track;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: Replacement;
  /** Whether its use prints a warning once it is deprecated. Default: true. */
  readonly warns?: boolean;
}

/** A feature or behavior that is neither of the API nor of the command line. */
export interface LintedBehavior {
  readonly name: string;
  /** Default: "GA". */
  readonly stability?: Track;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: Replacement;
}

const anyReplacement: OptionType = {
  accepts: 'what replaces it, such as { name: "--bar", stability: "beta" }',
  isValid: (value) => typeof value === "object" && value !== null,
};
const stability = oneOf(...tracks);
const required = { ...text, isRequired: true } as const;

const replacementOptionTypes: { readonly [option in keyof Required<Replacement>]: OptionType } = {
  name: required,
  stability,
};

const flagOptionTypes: { readonly [option in keyof Required<LintedFlag>]: OptionType } = {
  name: required,
  component: text,
  audience: oneOf("user", "admin"),
  stability,
  deprecated: releaseText,
  removed: releaseText,
  replacement: anyReplacement,
  warns: boolean,
};

const behaviorOptionTypes: { readonly [option in keyof Required<LintedBehavior>]: OptionType } = {
  name: required,
  stability,
  deprecated: releaseText,
  removed: releaseText,
  replacement: anyReplacement,
};

const atOnce: Wait = { releases: 0, months: 0 };
/** A beta flag, and the gate of a beta feature that is given up. */
export const betaElement: Wait = { releases: 1, months: 3 };
const flagWaits: { readonly [audience in "user" | "admin"]: { readonly [track in Track]: Wait } } = {
  user: { GA: { releases: 2, months: 12 }, beta: betaElement, alpha: atOnce },
  admin: { GA: { releases: 1, months: 6 }, beta: betaElement, alpha: atOnce },
};

/** Rules #5a to #6 for one flag. */
export function addFlagFindings(findings: DeprecationFinding[], flag: LintedFlag, title: string): void {
  checkOptions(title, flag, flagOptionTypes);
  const { name, component = defaultComponent, stability: track = "GA", warns = true } = flag;
  const { audience = component === "kubectl" ? "user" : "admin" } = flag;
  const subject = `flag ${name} of ${component}`;
  const wait = flagWaits[audience][track];
  addEnd(findings, flag, { rule: audience === "user" ? "#5a" : "#5b", subject, title, wait });
  if (flag.replacement !== undefined) {
    checkOptions(`${title}: replacement`, flag.replacement, replacementOptionTypes);
    addLessStable(findings, "#5c", subject, track, flag.replacement);
  }
  if (flag.deprecated !== undefined && !warns)
    findings.push({ rule: "#6", subject, message: "deprecated, but its use does not print a warning" });
}

/** Rules #7 and #8 for one behavior. */
export function addBehaviorFindings(
  findings: DeprecationFinding[],
  behavior: LintedBehavior,
  title: string,
): void {
  checkOptions(title, behavior, behaviorOptionTypes);
  const subject = `behavior ${behavior.name}`;
  addEnd(findings, behavior, { rule: "#7", subject, title, wait: { releases: 0, months: 12 } });
  if (behavior.replacement === undefined) return;
  checkOptions(`${title}: replacement`, behavior.replacement, replacementOptionTypes);
  addLessStable(findings, "#8", subject, behavior.stability ?? "GA", behavior.replacement);
}

interface EndRule {
  readonly rule: "#5a" | "#5b" | "#7";
  readonly subject: string;
  readonly title: string;
  readonly wait: Wait;
}

function addEnd(
  findings: DeprecationFinding[],
  life: { readonly deprecated?: string; readonly removed?: string },
  { rule, subject, title, wait }: EndRule,
): void {
  const [since, at] = [optionalMinor(title, life.deprecated), optionalMinor(title, life.removed)];
  checkOrder(title, [
    ["deprecated", since],
    ["removed", at],
  ]);
  if (at === undefined) return;
  const end = { rule, subject, what: "removed", at, wait };
  if (since === undefined) addUnannouncedEnd(findings, end);
  else addEarlyEnd(findings, { ...end, state: "deprecated", since });
}

/** @throws {Error} for a state that comes before the one that it follows */
export function checkOrder(
  title: string,
  states: readonly (readonly [name: string, at: number | undefined])[],
): void {
  let last: readonly [name: string, at: number] | undefined;
  for (const [name, at] of states) {
    if (at === undefined) continue;
    if (last !== undefined && at < last[1])
      throw new Error(`${title}: ${name} in ${releaseOf(at)}, before ${last[0]} in ${releaseOf(last[1])}`);
    last = [name, at];
  }
}
