import { formatGroupVersion, type GroupVersion, parseGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { type Release, releases } from "../apimachinery/release.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import { historyOfKind } from "../catalog/kind-history.ts";
import { type ConvertedObject, VersionConverter } from "./version-converter.ts";

/** A part of the way from one version to another: a release has both. */
interface Step {
  readonly converter: VersionConverter;
  readonly from: ApiResource;
  readonly to: ApiResource;
}

/** A kind in one release. */
interface KindInRelease {
  readonly converter: VersionConverter;
  readonly versions: readonly ApiResource[];
}

/** Converts objects of built-in kinds to other versions, through releases that have both. */
export class ObjectConversion {
  /** The newest release first. */
  readonly #releases: readonly Release[];
  readonly #converters = new Map<Release, VersionConverter>();
  readonly #steps = new Map<string, readonly Step[]>();
  readonly #versions = new Map<string, readonly ApiResource[]>();

  /** With a release, only the versions of this one count. */
  constructor(release: Release | undefined) {
    this.#releases = release === undefined ? releases.toReversed() : [release];
  }

  /** Whether a group has objects of this kind in some version: `apps` has those of a Deployment in extensions/v1beta1. */
  hasKindIn({ group }: GroupVersion, object: JsonObject): boolean {
    return this.#everywhere(object).some((resource) => resource.group === group);
  }

  /**
   * The object in another version. Between versions that no release has together, it goes through those in between.
   * @throws {Error} for a kind or a version that does not exist, with those that do
   * @throws {DecodeError} for an object that has not the form of its version
   */
  async convert(object: JsonObject, to: GroupVersion): Promise<ConvertedObject> {
    const steps = this.#stepsTo(object, to);
    let result: ConvertedObject | undefined;
    for (const { converter, from, to: next } of steps) {
      const { before, after } = await converter.convert(result?.after ?? object, from, next);
      result = { before: result?.before ?? before, after };
    }
    return result ?? { before: object, after: object };
  }

  /** Objects of one kind and version go the same way. */
  #stepsTo(object: JsonObject, to: GroupVersion): readonly Step[] {
    const { apiVersion, kind } = typeOf(object);
    const target = formatGroupVersion(to);
    if (apiVersion === target) return [];
    const key = `${kind} ${apiVersion} ${target}`;
    const steps = this.#steps.get(key) ?? this.#search(kind, apiVersion, target);
    if (steps === undefined) throw this.#noWay(object, target);
    this.#steps.set(key, steps);
    return steps;
  }

  /** The way with the fewest steps, through the newest releases. */
  #search(kind: string, start: string, target: string): readonly Step[] | undefined {
    const ways = new Map<string, readonly Step[]>([[start, []]]);
    for (const [apiVersion, way] of ways) {
      for (const { converter, versions } of this.#inReleases(apiVersion, kind)) {
        const from = versions.find((resource) => formatGroupVersion(resource) === apiVersion);
        if (from === undefined) continue;
        for (const to of versions) {
          const name = formatGroupVersion(to);
          if (!ways.has(name)) ways.set(name, [...way, { converter, from, to }]);
        }
      }
      if (ways.has(target)) return ways.get(target);
    }
    return undefined;
  }

  #inReleases(apiVersion: string, kind: string): readonly KindInRelease[] {
    return this.#releases.map((release) => {
      const converter = this.#converters.get(release) ?? new VersionConverter(release);
      this.#converters.set(release, converter);
      return { converter, versions: converter.versionsOf(apiVersion, kind) };
    });
  }

  /** Every version that can be reached from that of an object, the newest ones first. */
  #everywhere(object: JsonObject): readonly ApiResource[] {
    const { apiVersion, kind } = typeOf(object);
    const known = this.#versions.get(`${kind} ${apiVersion}`);
    if (known !== undefined) return known;
    const found = new Map<string, ApiResource>();
    const pending = new Set([apiVersion]);
    for (const next of pending) {
      for (const { versions } of this.#inReleases(next, kind)) {
        for (const resource of versions) {
          const name = formatGroupVersion(resource);
          if (!found.has(name)) found.set(name, resource);
          pending.add(name);
        }
      }
    }
    const versions = [...found.values()];
    this.#versions.set(`${kind} ${apiVersion}`, versions);
    return versions;
  }

  #noWay(object: JsonObject, target: string): Error {
    const { apiVersion, kind } = typeOf(object);
    const versions = this.#everywhere(object);
    const [only, ...others] = this.#releases;
    const scope = others.length === 0 && only !== undefined ? ` in ${only}` : "";
    const own = parseGroupVersion(apiVersion);
    if (versions.length === 0) {
      return new Error(`there is no kind ${kind} in ${apiVersion}${scope}${lifeOf(own, kind)}`);
    }
    const wanted = parseGroupVersion(target);
    const list = versions.map(formatGroupVersion).join(", ");
    return new Error(
      `there is no ${kind} in ${target}${scope}${lifeOf(wanted, kind)}; its versions are ${list}`,
    );
  }
}

/** Which releases have a kind: `: 1.16 to 1.21 have it`; the empty text if none has it. */
function lifeOf(gv: GroupVersion | undefined, kind: string): string {
  const history = gv && historyOfKind(gv, kind);
  if (history === undefined) return "";
  const { first, last } = history.releases;
  return first === last ? `: only ${first} has it` : `: ${first} to ${last} have it`;
}

function typeOf({ apiVersion, kind }: JsonObject): { readonly apiVersion: string; readonly kind: string } {
  // The callers have looked at both.
  return { apiVersion: String(apiVersion), kind: String(kind) };
}
