import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { anyObject, text } from "../apimachinery/option-types.ts";
import type { AnyRelease } from "../apimachinery/release.ts";
import { type ApiTimeline, isServed, type ParsedLife } from "./api-timeline.ts";
import type { DeprecationFinding } from "./deprecation-finding.ts";
import { checkOrder } from "./lint-elements.ts";
import { minorOf, plannedReleases, releaseText } from "./planned-release.ts";
import { optionalMinor } from "./release-dates.ts";

/** The life of a field within a version. */
export interface FieldLife {
  /** The first release with it. Default: the first one with the version. */
  readonly introduced?: string;
  /** The first release without it. Default: none before the version is removed. */
  readonly removed?: string;
  /** What it is called in other versions that call it differently, or the annotation that keeps it. Default: the same. */
  readonly same?: string;
}

/** The fields of a version by path, such as `spec.size`. */
export type VersionFields = { readonly [path: string]: FieldLife };

const fieldOptionTypes: { readonly [option in keyof Required<FieldLife>]: OptionType } = {
  introduced: releaseText,
  removed: releaseText,
  same: text,
};

interface Names {
  readonly subjectOf: (version: string) => string;
  readonly title: string;
}

/** Rules #1 and #2: fields stay within a version, and all versions of a release have them. */
export function addFieldFindings(
  findings: DeprecationFinding[],
  timeline: ApiTimeline,
  fields: { readonly [version: string]: VersionFields },
  { subjectOf, title }: Names,
): void {
  const described = Object.entries(fields).map(([name, own]) => {
    const life = timeline.versions.find((one) => one.name === name);
    if (life === undefined)
      throw new Error(`${title}: the timeline has no version ${name}, which has fields`);
    return {
      life,
      fields: parsedFields(own, life, `${title}: ${name}`),
    };
  });
  for (const { life, fields: own } of described) {
    for (const field of own) addRemoval(findings, life, field, subjectOf(life.name));
    for (const other of described)
      if (other.life !== life) for (const field of own) addLoss(findings, field, life, other, subjectOf);
  }
}

interface ParsedField {
  readonly path: string;
  readonly same: string;
  readonly introduced: number;
  readonly removed: number;
}

interface DescribedVersion {
  readonly life: ParsedLife;
  readonly fields: readonly ParsedField[];
}

/** @throws {TypeError} for what is no list of fields, and {Error} for lives that contradict themselves */
function parsedFields(own: VersionFields, life: ParsedLife, title: string): readonly ParsedField[] {
  if (!anyObject.isValid(own))
    throw new TypeError(`${title}: the fields must be an object with their paths as names`);
  return Object.entries(own).map(([path, field]) => parsedField(path, field, life, `${title} ${path}`));
}

function parsedField(path: string, field: FieldLife, life: ParsedLife, title: string): ParsedField {
  checkOptions(title, field, fieldOptionTypes);
  const { introduced, removed, same = path } = field;
  const [first, last] = [optionalMinor(title, introduced), optionalMinor(title, removed)];
  checkOrder(title, [
    ["the version", minorOf(life.introduced)],
    ["introduced", first],
    ["removed", last],
  ]);
  return { path, same, introduced: first ?? 0, removed: last ?? Number.POSITIVE_INFINITY };
}

/** Rule #1: an element is removed only with its version. */
function addRemoval(
  findings: DeprecationFinding[],
  life: ParsedLife,
  { path, removed }: ParsedField,
  subject: string,
): void {
  const release = plannedReleases.find((one) => minorOf(one) === removed);
  if (release === undefined || !isServed(life, release)) return;
  const message = `${path} is removed in ${release}, which still serves the version: elements are removed only with a new version`;
  findings.push({ rule: "#1", subject, message, ...(life.removed && { earliest: life.removed }) });
}

/** Rule #2: an object goes through every other version of the release without a loss. */
function addLoss(
  findings: DeprecationFinding[],
  field: ParsedField,
  life: ParsedLife,
  other: DescribedVersion,
  subjectOf: (version: string) => string,
): void {
  const isLostIn = (release: AnyRelease) =>
    isServed(life, release) &&
    isServed(other.life, release) &&
    isPresent(field, release) &&
    !other.fields.some((one) => one.same === field.same && isPresent(one, release));
  const lost = plannedReleases.filter(isLostIn);
  const [first] = lost;
  if (first === undefined) return;
  const last = lost.at(-1) ?? first;
  const next = plannedReleases[plannedReleases.indexOf(last) + 1];
  const message = `${field.path} has no equivalent in ${other.life.name}, which ${first} serves too: an object that is read and written there loses it`;
  findings.push({ rule: "#2", subject: subjectOf(life.name), message, ...(next && { earliest: next }) });
}

function isPresent({ introduced, removed }: ParsedField, release: AnyRelease): boolean {
  const at = minorOf(release);
  return introduced <= at && at < removed;
}
