import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { anyObject, text } from "../apimachinery/option-types.ts";
import { type AnyRelease, sinceOf } from "../apimachinery/release.ts";
import { dnsSubdomainMessages } from "../apimachinery/validation/names.ts";
import { ApiTimeline, isServed, type ParsedLife, type TimelineOptions } from "./api-timeline.ts";
import { addEarlyEnd, addUnannouncedEnd, type DeprecationFinding } from "./deprecation-finding.ts";
import { addFieldFindings, type VersionFields } from "./lint-fields.ts";
import { minorOf, plannedBefore, plannedReleases, releaseOf } from "./planned-release.ts";
import { earliestAfter } from "./release-dates.ts";
import { compareStability, isLessStable, trackOf } from "./version-track.ts";

/** A group with the life of its versions. */
export interface LintedApi extends TimelineOptions {
  readonly group: string;
  /** Default: the group as a whole. */
  readonly kind?: string;
  /** The fields of versions. Default: all versions have the same fields in all releases. */
  readonly fields?: { readonly [version: string]: VersionFields };
}

const apiOptionTypes: { readonly [option in keyof Required<LintedApi>]: OptionType } = {
  group: { ...text, isRequired: true },
  kind: text,
  timeline: { ...anyObject, isRequired: true },
  preferred: anyObject,
  storage: anyObject,
  fields: anyObject,
};

const betaWait = { releases: 3, months: 9 };

/** Rules #1 to #4b for one API. @throws {Error} for a timeline that contradicts itself */
export function addApiFindings(findings: DeprecationFinding[], api: LintedApi, title: string): void {
  checkOptions(title, api, apiOptionTypes);
  const { group, kind, fields = {} } = api;
  if (group !== "" && dnsSubdomainMessages(group).length > 0)
    throw new Error(`${title}: group ${JSON.stringify(group)} is not a domain such as "example.com"`);
  const timeline = new ApiTimeline(api, title);
  const subjectOf = (version: string) => `${group}/${version}${kind === undefined ? "" : ` ${kind}`}`;
  addFieldFindings(findings, timeline, fields, { subjectOf, title });
  for (const life of timeline.versions) {
    addReplacement(findings, timeline, life, subjectOf(life.name));
    addLifetime(findings, timeline, life, subjectOf(life.name));
  }
  addAdvances(findings, timeline, "preferred", subjectOf);
  addAdvances(findings, timeline, "storage", subjectOf);
}

/** Rule #3: no version is deprecated in favor of a less stable one. */
function addReplacement(
  findings: DeprecationFinding[],
  timeline: ApiTimeline,
  life: ParsedLife,
  subject: string,
): void {
  const { name, deprecated } = life;
  if (deprecated === undefined) return;
  const newer = timeline
    .servedIn(deprecated)
    .filter((one) => !sinceOf<AnyRelease>(life.introduced)(one.introduced));
  const replacement = timeline.replacementOf(life, deprecated) ?? newer[0]?.name;
  if (replacement === undefined || !isLessStable(trackOf(replacement), trackOf(name))) return;
  const isFit = (one: ParsedLife) =>
    sinceOf<AnyRelease>(one.introduced)(deprecated) && !isLessStable(trackOf(one.name), trackOf(name));
  const [fit] = timeline.versions
    .filter(isFit)
    .toSorted((a, b) => minorOf(a.introduced) - minorOf(b.introduced));
  const message = `deprecated in ${deprecated} in favor of ${replacement}, which is ${trackOf(replacement)} and less stable than ${trackOf(name)}`;
  findings.push({ rule: "#3", subject, message, ...(fit && { earliest: fit.introduced }) });
}

/** Rule #4a: how long versions are served. */
function addLifetime(
  findings: DeprecationFinding[],
  timeline: ApiTimeline,
  { name, introduced, deprecated, removed }: ParsedLife,
  subject: string,
): void {
  const track = trackOf(name);
  if (track === "alpha") return;
  if (track === "GA") {
    const message = `removed in ${removed}: GA versions stay for as long as Kubernetes has the major version 1`;
    if (removed !== undefined) findings.push({ rule: "#4a", subject, message });
    return;
  }
  const latest = earliestAfter(minorOf(introduced), betaWait);
  const known = deprecated === undefined ? lastMinor(timeline) : minorOf(deprecated);
  if (known > latest) {
    const state = deprecated === undefined ? "not deprecated" : `deprecated in ${deprecated}`;
    const message = `introduced in ${introduced} and ${state}: a beta version is deprecated within 3 releases or 9 months, here in ${releaseOf(latest)} at the latest`;
    findings.push({ rule: "#4a", subject, message });
  }
  if (removed === undefined) return;
  const end = { rule: "#4a", subject, what: "removed", at: minorOf(removed), wait: betaWait } as const;
  if (deprecated === undefined) addUnannouncedEnd(findings, end);
  else addEarlyEnd(findings, { ...end, state: "deprecated", since: minorOf(deprecated) });
}

/** The last release that the timeline mentions: later ones are not planned yet. */
function lastMinor({ versions }: ApiTimeline): number {
  const all = versions.flatMap(({ introduced, deprecated, removed }) => [introduced, deprecated, removed]);
  return Math.max(...all.flatMap((release) => (release === undefined ? [] : minorOf(release))));
}

/**
 * Rule #4b: the preferred and the stored version advance only after a release that serves both the new and the previous one.
 * Alpha versions may go without notice, so nothing is left of those to go back to.
 */
function addAdvances(
  findings: DeprecationFinding[],
  timeline: ApiTimeline,
  what: "preferred" | "storage",
  subjectOf: (version: string) => string,
): void {
  const versionIn = (release: AnyRelease) =>
    what === "preferred" ? timeline.preferredIn(release) : timeline.storageIn(release);
  for (const release of plannedReleases) {
    const before = plannedBefore(release);
    const [old, now] = [versionIn(before), versionIn(release)];
    if (old === undefined || now === undefined || old === now || trackOf(old) === "alpha") continue;
    if (before === release || hasServedBoth(timeline, [old, now], release)) continue;
    const first = plannedReleases.find((one) => servesBoth(timeline, [old, now], one));
    const message = `the ${what} version advances from ${old} to ${now} in ${release}, before a release has served both`;
    const earliest = first === undefined ? undefined : releaseOf(minorOf(first) + 1);
    const isNewer = compareStability(now, old) < 0;
    findings.push({
      rule: "#4b",
      subject: subjectOf(now),
      message,
      ...(earliest !== undefined && isNewer && { earliest }),
    });
  }
}

function servesBoth(timeline: ApiTimeline, names: readonly string[], release: AnyRelease): boolean {
  return names.every((name) =>
    timeline.versions.some((life) => life.name === name && isServed(life, release)),
  );
}

function hasServedBoth(timeline: ApiTimeline, names: readonly string[], until: AnyRelease): boolean {
  return plannedReleases
    .slice(0, plannedReleases.indexOf(until))
    .some((release) => servesBoth(timeline, names, release));
}
