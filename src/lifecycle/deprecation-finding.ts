import { releaseOf } from "./planned-release.ts";
import { earliestAfter, type Wait } from "./release-dates.ts";
import { isLessStable, type Track } from "./version-track.ts";

/** A rule of Kubernetes' deprecation policy (kubernetes.io/docs/reference/using-api/deprecation-policy). */
export type DeprecationRule =
  | "#1"
  | "#2"
  | "#3"
  | "#4a"
  | "#4b"
  | "#5a"
  | "#5b"
  | "#5c"
  | "#6"
  | "#7"
  | "#8"
  | "#9"
  | "#10"
  | "#11a"
  | "#11b";

/** What breaks a rule. */
export interface DeprecationFinding {
  readonly rule: DeprecationRule;
  /** Such as `example.com/v1beta1 Widget` or `flag --foo of kubectl`. */
  readonly subject: string;
  readonly message: string;
  /** The first release in which the rule would allow it; absent if none does, or if it is too late rather than too early. */
  readonly earliest?: string;
}

/** The end of something that has to function for some time after a release. */
interface End {
  readonly rule: DeprecationRule;
  readonly subject: string;
  /** Such as `removed`. */
  readonly what: string;
  readonly at: number;
  /** Such as `deprecated`. */
  readonly state: string;
  readonly since: number;
  readonly wait: Wait;
}

/** Adds a finding for an end that comes too early. */
export function addEarlyEnd(findings: DeprecationFinding[], end: End): void {
  const { rule, subject, what, at, state, since, wait } = end;
  const earliest = earliestAfter(since, wait);
  if (at >= earliest) return;
  const message = `${what} in ${releaseOf(at)}, but ${state} in ${releaseOf(since)}: it has to function for ${periodOf(wait)}`;
  findings.push({ rule, subject, message, earliest: releaseOf(earliest) });
}

/** The end of something that was never deprecated. */
export function addUnannouncedEnd(
  findings: DeprecationFinding[],
  { rule, subject, what, at, wait }: Omit<End, "state" | "since">,
): void {
  if (wait.releases === 0 && wait.months === 0) return;
  const message = `${what} in ${releaseOf(at)} without a deprecation, after which it has to function for ${periodOf(wait)}`;
  findings.push({ rule, subject, message, earliest: releaseOf(earliestAfter(at, wait)) });
}

/** What replaces something, with its stability. */
export interface Replacement {
  readonly name: string;
  readonly stability?: Track;
}

/** Adds a finding for a replacement that is less stable. */
export function addLessStable(
  findings: DeprecationFinding[],
  rule: DeprecationRule,
  subject: string,
  track: Track,
  { name, stability = "GA" }: Replacement,
): void {
  if (!isLessStable(stability, track)) return;
  const message = `deprecated in favor of ${name}, which is ${stability} and less stable than ${track}`;
  findings.push({ rule, subject, message });
}

function periodOf({ releases, months }: Wait): string {
  const time = `${months} months`;
  if (releases === 0) return time;
  return `${releases} ${releases === 1 ? "release" : "releases"} or ${time}, whichever is longer`;
}
