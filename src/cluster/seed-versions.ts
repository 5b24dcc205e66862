import {
  formatGroupResource,
  formatGroupVersion,
  type GroupResource,
  type GroupVersion,
} from "../apimachinery/group-version.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { type AnyRelease, type Release, sinceOf } from "../apimachinery/release.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { earlierState, type Historic, isPresent, type Window } from "../catalog/catalog-file.ts";
import { storageVersion } from "../catalog/storage-version.ts";
import { priorityLevelForms } from "../kinds/flowcontrol/priority-level-configuration/priority-level-configuration-forms.ts";
import type { VersionForm } from "../registry/contract/version-form.ts";

/** The releases that have a recorded object, and merge patches for what older ones have of it. */
export interface SeedHistory extends Window, Historic {}

/** The version in which the server creates an object when it starts, and that in which it stores the object. */
export interface SeedVersions {
  readonly written: ApiResource;
  readonly stored: ApiResource;
}

/** The recorded object as of a release: the same one if it has not changed, undefined if the release does not have it. */
export function seedAt<T extends JsonObject>(
  object: T,
  histories: readonly SeedHistory[],
  release: Release,
): T | undefined {
  const since = sinceOf<AnyRelease>(release);
  let seed = object;
  for (const history of histories) {
    if (!isPresent(history, since)) return undefined;
    const patch = history.was && earlierState(history.was, since);
    // A patch changes values of the object, not its type.
    if (patch !== undefined) seed = merged(seed, patch) as T;
  }
  return seed;
}

/** Undefined if the release does not serve the resource. */
export function seedVersions(catalog: Catalog, gr: GroupResource): SeedVersions | undefined {
  const known = catalog.derived(knownVersions);
  const name = formatGroupResource(gr);
  const versions = known.get(name) ?? computedVersions(catalog, gr);
  known.set(name, versions);
  return versions;
}

/** Those of the few resources with seeds. */
function knownVersions(): Map<string, SeedVersions | undefined> {
  return new Map();
}

function computedVersions(catalog: Catalog, gr: GroupResource): SeedVersions | undefined {
  const written = catalog
    .groupVersions()
    .filter(({ group }) => group === gr.group)
    .map((gv) => catalog.resource({ ...gv, resource: gr.resource }))
    .find((resource) => resource !== undefined);
  if (written === undefined) return undefined;
  const upstream = storageVersion(gr, catalog.version);
  return { written, stored: (upstream && catalog.resource({ ...gr, ...upstream })) ?? written };
}

/** A seed in another version of its kind. */
export function seedInVersion<T extends KubeObject>(seed: T, version: GroupVersion): T {
  const apiVersion = formatGroupVersion(version);
  if (seed.apiVersion === apiVersion) return seed;
  const from = formOf(seed, seed.apiVersion);
  const to = formOf(seed, apiVersion);
  const converted = from === to ? seed : to?.fromInternal(from?.toInternal(seed) ?? seed);
  return { ...(converted ?? seed), apiVersion };
}

function formOf({ kind }: KubeObject, apiVersion: string): VersionForm | undefined {
  const forms: { readonly [gv: string]: VersionForm } =
    kind === "PriorityLevelConfiguration" ? priorityLevelForms : {};
  return forms[apiVersion];
}

function merged(value: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result: MutableJsonObject = isJsonObject(value) ? { ...value } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else result[key] = merged(result[key], change);
  }
  return result;
}
