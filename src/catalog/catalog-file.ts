import type { JsonValue } from "../apimachinery/json.ts";
import { type AnyRelease, type Release, type Since, sinceOf } from "../apimachinery/release.ts";

/** The releases that have an item. A missing bound is that of the enclosing item. */
export interface Window {
  readonly since?: Release;
  /** The first release without the item. */
  readonly until?: Release;
  readonly removed?: AnyRelease;
}

/** Earlier states: the values before the release that is the key, down to the next lower key; null is an absent value. */
export interface Historic {
  readonly was?: { readonly [before: AnyRelease]: { readonly [key: string]: JsonValue } };
}

interface FileLifecycle {
  readonly deprecated?: AnyRelease;
  readonly plannedRemoval?: AnyRelease;
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind?: string };
}

export interface FieldEntry extends Window, Historic {
  readonly type: string;
  readonly proto?: number;
  readonly inline?: boolean;
  readonly required?: boolean;
  readonly emit?: boolean;
  readonly ptr?: boolean;
  readonly list?: "atomic" | "set" | "map";
  readonly keys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patch?: string;
  readonly patchKey?: string;
  readonly default?: JsonValue;
  readonly enum?: readonly string[];
}

export interface TypeEntry extends Window, Historic {
  readonly typeMeta?: boolean;
  readonly mapType?: "atomic" | "granular";
  readonly alias?: string;
  readonly unions?: readonly {
    readonly discriminator?: string;
    readonly fields: { readonly [field: string]: string };
  }[];
  /** For `unpackFields`. */
  readonly fields: string;
}

export interface SubresourceEntry extends Window, Historic {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly connect?: readonly string[];
  /** The first release whose default configuration has it. */
  readonly enabledSince?: Release;
}

export interface ResourceEntry extends Window, Historic, FileLifecycle {
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: { readonly [name: string]: SubresourceEntry };
}

/** One file of the catalog: a group and version through all releases. */
export interface CatalogFile extends FileLifecycle {
  readonly group: string;
  readonly version: string;
  readonly since: Release;
  readonly removed?: AnyRelease;
  readonly resources?: { readonly [name: string]: ResourceEntry };
  readonly types: { readonly [name: string]: TypeEntry };
}

/** Whether the release has the item, if it has the enclosing one. */
export function isPresent(item: Window, since: Since<AnyRelease>): boolean {
  if (item.since !== undefined && !since(item.since)) return false;
  const end = item.until ?? item.removed;
  return end === undefined || !since(end);
}

/** The earlier state that the release has: that before the next key. Undefined if the release has the newest state. */
export function earlierState(
  was: NonNullable<Historic["was"]>,
  since: Since<AnyRelease>,
): { readonly [key: string]: JsonValue } | undefined {
  let nearest: AnyRelease | undefined;
  let state: { readonly [key: string]: JsonValue } | undefined;
  for (const [key, changes] of Object.entries(was)) {
    // `was` is keyed by releases, which Object.entries widens to string.
    const before = key as AnyRelease;
    if (since(before) || (nearest !== undefined && sinceOf<AnyRelease>(before)(nearest))) continue;
    nearest = before;
    state = changes;
  }
  return state;
}

/** The entry as of the release. */
export function atRelease<T extends Historic>(entry: T, since: Since<AnyRelease>): T {
  const patch = entry.was && earlierState(entry.was, since);
  if (patch === undefined) return entry;
  const kept: [string, unknown][] = Object.entries({ ...entry, ...patch }).filter(
    ([, value]) => value !== null,
  );
  // A patch has keys of the entry only, so it does not change the type.
  return Object.fromEntries(kept) as unknown as T;
}
