import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { parseRelease, type Release, releaseBefore, releases, sinceOf } from "../apimachinery/release.ts";
import { compareStability, isVersionName } from "./version-track.ts";

/** The life of one version of an API. */
export interface VersionLife {
  /** The first release that serves it. */
  readonly introduced: string;
  /** The first release that deprecates it. Default: none does. */
  readonly deprecated?: string;
  /** The first release that does not serve it any more. Default: all serve it. */
  readonly removed?: string;
  /** The version that replaces it, for the warning. Default: the most stable newer version when it is deprecated. */
  readonly replacement?: string;
}

/** The versions of an API by name, such as `{ v1beta1: { introduced: "1.28", deprecated: "1.29" }, v1: { introduced: "1.29" } }`. */
export type Timeline = { readonly [version: string]: VersionLife };

/** A version by the release from which on it counts. */
export type VersionByRelease = { readonly [release: string]: string };

const release: OptionType = { accepts: 'a release such as "1.32"', isValid: text.isValid };

/** What the life of a version has. */
const lifeOptionTypes: { readonly [option in keyof Required<VersionLife>]: OptionType } = {
  introduced: { ...release, isRequired: true },
  deprecated: release,
  removed: release,
  replacement: text,
};

/** The parts of a timeline. */
export interface TimelineOptions {
  readonly timeline: Timeline;
  /**
   * The preferred version from these releases on. Default: in each release the most stable and newest version that the release
   * before served too, if there is one.
   */
  readonly preferred?: VersionByRelease;
  /** The version in which objects are stored from these releases on. Default: as for `preferred`. */
  readonly storage?: VersionByRelease;
}

/** A version with its parsed life. */
export interface ParsedLife {
  readonly name: string;
  readonly introduced: Release;
  readonly deprecated: Release | undefined;
  readonly removed: Release | undefined;
  readonly replacement: string | undefined;
}

/** The versions of an API through the releases. */
export class ApiTimeline {
  readonly versions: readonly ParsedLife[];
  readonly #preferred: ReadonlyMap<Release, string>;
  readonly #storage: ReadonlyMap<Release, string>;

  /** @throws {Error} that says all contradictions, after `title` */
  constructor({ timeline, preferred = {}, storage = {} }: TimelineOptions, title: string) {
    const problems: string[] = [];
    this.versions = Object.entries(timeline).flatMap(
      ([name, life]) => parsedLife(name, life, problems) ?? [],
    );
    if (Object.keys(timeline).length === 0) problems.push("it has no versions");
    for (const life of this.versions) this.#addContradictions(life, problems);
    this.#preferred = this.#byRelease("preferred", preferred, problems);
    this.#storage = this.#byRelease("storage", storage, problems);
    if (problems.length > 0)
      throw new Error(`${title}: the timeline is not possible: ${problems.join("; ")}`);
  }

  /** The versions that a release serves, the most stable and newest first. */
  servedIn(release: Release): readonly ParsedLife[] {
    return this.versions
      .filter((life) => isServed(life, release))
      .toSorted((a, b) => compareStability(a.name, b.name));
  }

  /** The versions that a release can read: those that it or an earlier release introduced. */
  knownIn(release: Release): readonly ParsedLife[] {
    return this.versions.filter(({ introduced }) => sinceOf(release)(introduced));
  }

  /** Undefined if the release serves no version. */
  preferredIn(release: Release): string | undefined {
    return this.#chosen(this.#preferred, release) ?? this.#laggingVersion(release);
  }

  /** Undefined if the release knows no version. */
  storageIn(release: Release): string | undefined {
    const chosen = this.#chosen(this.#storage, release) ?? this.#laggingVersion(release);
    return chosen ?? this.knownIn(release).toSorted((a, b) => compareStability(a.name, b.name))[0]?.name;
  }

  /** The version that the release names in the warning about a deprecated one. */
  replacementOf(life: ParsedLife, release: Release): string | undefined {
    if (life.replacement !== undefined) return life.replacement;
    return this.servedIn(release).find(({ name }) => compareStability(name, life.name) < 0)?.name;
  }

  /** The best version that the release before served as well, so that a downgraded server can read what is stored. */
  #laggingVersion(release: Release): string | undefined {
    const served = this.servedIn(release);
    const before = releaseBefore(release);
    const lagging = before === release ? undefined : served.find((life) => isServed(life, before));
    return (lagging ?? served[0])?.name;
  }

  /** The explicit choice that counts in a release, while its version is served. */
  #chosen(choices: ReadonlyMap<Release, string>, release: Release): string | undefined {
    const since = releases.findLast((one) => choices.has(one) && sinceOf(release)(one));
    const name = since && choices.get(since);
    return this.servedIn(release).find((life) => life.name === name)?.name;
  }

  #addContradictions(
    { name, introduced, deprecated, removed, replacement }: ParsedLife,
    problems: string[],
  ): void {
    if (deprecated !== undefined && !sinceOf(deprecated)(introduced))
      problems.push(`${name} is deprecated in ${deprecated}, before it is introduced in ${introduced}`);
    const last = deprecated ?? introduced;
    if (removed !== undefined && sinceOf(last)(removed)) {
      const state = deprecated === undefined ? "introduced" : "deprecated";
      problems.push(`${name} is removed in ${removed}, and ${state} in ${last}`);
    }
    if (replacement === undefined) return;
    const other = this.versions.find((life) => life.name === replacement);
    if (other === undefined)
      problems.push(`${name} is replaced by ${replacement}, which the timeline does not have`);
    else if (deprecated !== undefined && !isServed(other, deprecated))
      problems.push(`${name} is replaced by ${replacement} in ${deprecated}, which does not serve it`);
  }

  #byRelease(what: string, choices: VersionByRelease, problems: string[]): ReadonlyMap<Release, string> {
    const parsed = new Map<Release, string>();
    for (const [text, name] of Object.entries(choices)) {
      const release = tryRelease(`${what} version`, text, problems);
      if (release === undefined) continue;
      const life = this.versions.find((one) => one.name === name);
      if (life === undefined) problems.push(`the ${what} version ${name} of ${text} is not in the timeline`);
      else if (!isServed(life, release)) problems.push(`${text} does not serve its ${what} version ${name}`);
      parsed.set(release, name);
    }
    return parsed;
  }
}

/** Whether a release serves a version. */
export function isServed({ introduced, removed }: ParsedLife, release: Release): boolean {
  const since = sinceOf(release);
  return since(introduced) && (removed === undefined || !since(removed));
}

function parsedLife(name: string, life: VersionLife, problems: string[]): ParsedLife | undefined {
  if (!isVersionName(name)) {
    problems.push(`${JSON.stringify(name)} is not a version such as v1, v2beta1 or v1alpha3`);
    return undefined;
  }
  checkOptions(`the life of ${name}`, life, lifeOptionTypes);
  const releaseOf = (text: string | undefined) =>
    text === undefined ? undefined : tryRelease(name, text, problems);
  const introduced = releaseOf(life.introduced);
  const [deprecated, removed] = [releaseOf(life.deprecated), releaseOf(life.removed)];
  if (introduced === undefined) return undefined;
  return { name, introduced, deprecated, removed, replacement: life.replacement };
}

function tryRelease(of: string, text: string, problems: string[]): Release | undefined {
  try {
    return parseRelease(text);
  } catch (error) {
    problems.push(`${of}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
