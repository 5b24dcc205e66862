import { messageOf } from "../apimachinery/errors/message-of.ts";
import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { type AnyRelease, sinceOf } from "../apimachinery/release.ts";
import {
  minorOf,
  parsePlannedRelease,
  plannedBefore,
  plannedReleases,
  releaseOf,
  releaseText,
} from "./planned-release.ts";
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

/** What the life of a version has. */
const lifeOptionTypes: { readonly [option in keyof Required<VersionLife>]: OptionType } = {
  introduced: { ...releaseText, isRequired: true },
  deprecated: releaseText,
  removed: releaseText,
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
  readonly introduced: AnyRelease;
  readonly deprecated: AnyRelease | undefined;
  readonly removed: AnyRelease | undefined;
  readonly replacement: string | undefined;
}

/** The versions of an API through the releases. */
export class ApiTimeline {
  readonly versions: readonly ParsedLife[];
  readonly #preferred: ReadonlyMap<AnyRelease, string>;
  readonly #storage: ReadonlyMap<AnyRelease, string>;

  /** @throws {Error} that says all contradictions, after `title` */
  constructor({ timeline, preferred = {}, storage = {} }: TimelineOptions, title: string) {
    const problems: string[] = [];
    this.versions = Object.entries(timeline).flatMap(
      ([name, life]) => parsedLife(name, life, title, problems) ?? [],
    );
    if (Object.keys(timeline).length === 0) problems.push("it has no versions");
    for (const life of this.versions) this.#addContradictions(life, problems);
    this.#preferred = this.#byRelease("preferred", preferred, problems);
    this.#storage = this.#byRelease("storage", storage, problems);
    if (problems.length > 0)
      throw new Error(`${title}: the timeline is not possible: ${problems.join("; ")}`);
  }

  /** The versions that a release serves, the most stable and newest first. */
  servedIn(release: AnyRelease): readonly ParsedLife[] {
    return this.versions
      .filter((life) => isServed(life, release))
      .toSorted((a, b) => compareStability(a.name, b.name));
  }

  /** The versions that a release can read: those that it or an earlier release introduced. */
  knownIn(release: AnyRelease): readonly ParsedLife[] {
    return this.versions.filter(({ introduced }) => sinceOf<AnyRelease>(release)(introduced));
  }

  /** Undefined if the release serves no version. */
  preferredIn(release: AnyRelease): string | undefined {
    return this.#chosen(this.#preferred, release) ?? this.#laggingVersion(release);
  }

  /** Undefined if the release knows no version. */
  storageIn(release: AnyRelease): string | undefined {
    const chosen = this.#chosen(this.#storage, release) ?? this.#laggingVersion(release);
    return chosen ?? this.knownIn(release).toSorted((a, b) => compareStability(a.name, b.name))[0]?.name;
  }

  /** The version that the release names in the warning about a deprecated one. */
  replacementOf(life: ParsedLife, release: AnyRelease): string | undefined {
    if (life.replacement !== undefined) return life.replacement;
    return this.servedIn(release).find(({ name }) => compareStability(name, life.name) < 0)?.name;
  }

  /** The best version that the release before served as well, so that a downgraded server can read what is stored. */
  #laggingVersion(release: AnyRelease): string | undefined {
    const served = this.servedIn(release);
    const before = plannedBefore(release);
    const lagging = before === release ? undefined : served.find((life) => isServed(life, before));
    return (lagging ?? served[0])?.name;
  }

  /** The explicit choice that counts in a release, while its version is served. */
  #chosen(choices: ReadonlyMap<AnyRelease, string>, release: AnyRelease): string | undefined {
    const since = plannedReleases.findLast((one) => choices.has(one) && sinceOf<AnyRelease>(release)(one));
    const name = since && choices.get(since);
    return this.servedIn(release).find((life) => life.name === name)?.name;
  }

  #addContradictions(life: ParsedLife, problems: string[]): void {
    const { name, introduced, deprecated, removed } = life;
    if (deprecated !== undefined && !sinceOf<AnyRelease>(deprecated)(introduced))
      problems.push(
        `${name} is deprecated in ${deprecated}, before it is introduced in ${introduced}: it can be from ${introduced} on`,
      );
    const last = deprecated ?? introduced;
    if (removed !== undefined && sinceOf<AnyRelease>(last)(removed)) {
      const state = deprecated === undefined ? "introduced" : "deprecated";
      const earliest = releaseOf(minorOf(last) + 1);
      problems.push(
        `${name} is removed in ${removed}, and ${state} in ${last}: it can be removed from ${earliest} on`,
      );
    }
    if (life.replacement !== undefined) this.#addReplacementProblem(life, life.replacement, problems);
  }

  #addReplacementProblem({ name, deprecated }: ParsedLife, replacement: string, problems: string[]): void {
    const fit = this.versions.filter(
      (life) => life.name !== name && deprecated !== undefined && isServed(life, deprecated),
    );
    const choice = fit.length === 0 ? "" : `: it serves ${fit.map((life) => life.name).join(", ")}`;
    const other = this.versions.find((life) => life.name === replacement);
    if (deprecated === undefined)
      problems.push(`${name} is replaced by ${replacement}, but no release deprecates it: add deprecated`);
    else if (replacement === name) problems.push(`${name} is replaced by itself in ${deprecated}${choice}`);
    else if (other === undefined)
      problems.push(`${name} is replaced by ${replacement}, which the timeline does not have`);
    else if (!isServed(other, deprecated))
      problems.push(
        `${name} is replaced by ${replacement} in ${deprecated}, which does not serve it${choice}`,
      );
  }

  #byRelease(what: string, choices: VersionByRelease, problems: string[]): ReadonlyMap<AnyRelease, string> {
    const parsed = new Map<AnyRelease, string>();
    for (const [text, name] of Object.entries(choices)) {
      const release = tryRelease(`${what} version`, text, problems);
      if (release === undefined) continue;
      const life = this.versions.find((one) => one.name === name);
      if (life === undefined) problems.push(`the ${what} version ${name} of ${text} is not in the timeline`);
      else if (!isServed(life, release)) {
        const served = this.servedIn(release).map((one) => one.name);
        const choice = served.length === 0 ? "no version" : served.join(", ");
        problems.push(`${text} does not serve its ${what} version ${name}, but ${choice}`);
      }
      if (parsed.has(release))
        problems.push(`${release} has two ${what} versions, ${parsed.get(release)} and ${name}: one counts`);
      parsed.set(release, name);
    }
    return parsed;
  }
}

/** Whether a release serves a version. */
export function isServed({ introduced, removed }: ParsedLife, release: AnyRelease): boolean {
  const since = sinceOf<AnyRelease>(release);
  return since(introduced) && (removed === undefined || !since(removed));
}

function parsedLife(
  name: string,
  life: VersionLife,
  title: string,
  problems: string[],
): ParsedLife | undefined {
  if (!isVersionName(name)) {
    problems.push(`${JSON.stringify(name)} is not a version such as v1, v2beta1 or v1alpha3`);
    return undefined;
  }
  checkOptions(`${title}: the life of ${name}`, life, lifeOptionTypes);
  const releaseOf = (text: string | undefined) =>
    text === undefined ? undefined : tryRelease(name, text, problems);
  const introduced = releaseOf(life.introduced);
  const [deprecated, removed] = [releaseOf(life.deprecated), releaseOf(life.removed)];
  if (introduced === undefined) return undefined;
  return { name, introduced, deprecated, removed, replacement: life.replacement };
}

function tryRelease(of: string, text: string, problems: string[]): AnyRelease | undefined {
  try {
    return parsePlannedRelease(text);
  } catch (error) {
    problems.push(`${of}: ${messageOf(error)}`);
    return undefined;
  }
}
