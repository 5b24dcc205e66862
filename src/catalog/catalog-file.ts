import type { JsonValue } from "../apimachinery/json.ts";
import type { Release } from "./api-resource.ts";
import { minorOf } from "./release.ts";

/** The releases that have an item. A missing bound is that of the enclosing item. */
interface Window {
  readonly since?: Release;
  /** The first release without the item. */
  readonly until?: Release;
  readonly removed?: Release;
}

/** Earlier states: the values before the release that is the key, down to the next lower key; null is an absent value. */
interface Historic {
  readonly was?: { readonly [before: Release]: { readonly [key: string]: JsonValue } };
}

interface FileLifecycle {
  readonly deprecated?: Release;
  readonly plannedRemoval?: Release;
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
  readonly removed?: Release;
  readonly resources?: { readonly [name: string]: ResourceEntry };
  readonly types: { readonly [name: string]: TypeEntry };
}

/** Whether the release has the item, if it has the enclosing one. */
export function isPresent(item: Window, minor: number): boolean {
  if (item.since !== undefined && minor < minorOf(item.since)) return false;
  const end = item.until ?? item.removed;
  return end === undefined || minor < minorOf(end);
}

/** The entry as of the release. */
export function atRelease<T extends Historic>(entry: T, minor: number): T {
  if (entry.was === undefined) return entry;
  let nearest: number | undefined;
  let patch: { readonly [key: string]: JsonValue } = {};
  for (const [before, changes] of Object.entries(entry.was)) {
    // `was` is keyed by releases, which Object.entries widens to string.
    const bound = minorOf(before as Release);
    if (bound <= minor || (nearest !== undefined && bound >= nearest)) continue;
    nearest = bound;
    patch = changes;
  }
  if (nearest === undefined) return entry;
  const kept: [string, unknown][] = Object.entries({ ...entry, ...patch }).filter(
    ([, value]) => value !== null,
  );
  // A patch has keys of the entry only, so it does not change the type.
  return Object.fromEntries(kept) as unknown as T;
}
