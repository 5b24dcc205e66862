import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import { type Comparison, compareObjects } from "./compare.ts";
import { type Conflict, ConflictError } from "./conflict.ts";
import type { FieldFilter } from "./field-filter.ts";
import { emptySet, type FieldSet, isEmptySet, pathsOf } from "./field-set.ts";
import { difference, equalSets, intersection, isSubset, union } from "./field-set-algebra.ts";
import { fieldSetOf } from "./field-set-of.ts";
import type { ManagerId, Managers, VersionedSet } from "./managed-fields.ts";
import { mergeObjects } from "./merge.ts";
import { withoutNeverOwned } from "./never-owned.ts";
import { prune } from "./prune.ts";
import { reconcileFieldSet } from "./reconcile.ts";
import { inVersion, servedKind, type Versions } from "./versions.ts";

/** The versions of a kind at one endpoint. */
export interface EndpointVersions extends Versions {
  /** Removes the fields that the endpoint does not change. */
  readonly filter: FieldFilter;
}

/** Whether an apply takes fields from other managers, or fails with a conflict. */
export type Force = "forced" | "careful";

/** The writer and the version of its write. */
export interface Applier {
  readonly id: ManagerId;
  readonly apiVersion: string;
}

/** The owners after `updater` changed `before` to `after`. It becomes the only owner of the changed fields. */
export function updateOwners(
  versions: EndpointVersions,
  before: JsonObject,
  after: JsonObject,
  managers: Managers,
  updater: Applier,
): Managers {
  const owners = reconcile(versions, managers);
  const comparison = takeFromOthers(versions, before, after, owners, updater, "forced");
  const old = owners.get(updater.id)?.set ?? emptySet;
  const { removed, modified, added } = comparison;
  const set = versions.filter(union(union(difference(old, removed), modified), added));
  owners.set(updater.id, { set, apiVersion: updater.apiVersion, applied: false });
  return owners;
}

/** The result of an apply: the object and its owners. */
export interface Applied {
  readonly managers: Managers;
  /** Undefined if the object does not change. */
  readonly object: JsonObject | undefined;
}

/**
 * Merges a configuration into the live object, and removes fields that the manager applied before and that have no
 * owner now.
 * @throws {ConflictError} for fields of other managers, unless the apply is forced
 */
export function applyOwners(
  versions: EndpointVersions,
  live: JsonObject,
  config: JsonObject,
  managers: Managers,
  applier: Applier,
  force: Force,
): Applied {
  const { apiVersion, id } = applier;
  const kind = servedKind(versions, apiVersion);
  const owners = reconcile(versions, managers);
  const last = owners.get(id);
  const set = sameAs(last?.set, versions.filter(fieldSetOf(kind.type, config)));
  owners.set(id, { set, apiVersion, applied: true });
  const merged = asObject(mergeObjects(kind.type, live, config));
  const object = needsPruning(last, set, apiVersion)
    ? prune(versions, merged, owners, apiVersion, last)
    : merged;
  takeFromOthers(versions, live, object, owners, applier, force);
  return { managers: owners, object: jsonEqual(object, live) ? undefined : object };
}

/**
 * The set of the last apply if both have the same fields that managers can own. Then results remembered for that set can
 * be reused, and nothing has to be compared or pruned.
 */
function sameAs(earlier: FieldSet | undefined, set: FieldSet): FieldSet {
  return earlier !== undefined && equalSets(earlier, withoutNeverOwned(set)) ? earlier : set;
}

/** Nothing is removed if all fields owned before are owned now. */
function needsPruning(
  last: VersionedSet | undefined,
  set: FieldSet,
  apiVersion: string,
): last is VersionedSet {
  if (last === undefined || isEmptySet(last.set)) return false;
  return last.apiVersion !== apiVersion || !isSubset(last.set, set);
}

function asObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new Error("an object was merged to something else");
  return value;
}

/** A copy of the owners, adjusted to the current types, without versions that are no longer served. */
function reconcile(versions: EndpointVersions, managers: Managers): Managers {
  const owners: Managers = new Map();
  for (const [id, owned] of managers) {
    const kind = versions.kindOf(owned.apiVersion);
    if (kind === undefined) continue;
    const set = reconcileFieldSet(kind.type, owned.set);
    owners.set(id, set === owned.set ? owned : { ...owned, set });
  }
  return owners;
}

/** Removes changed fields from all other owners, or throws. Owners without fields are removed. */
function takeFromOthers(
  versions: EndpointVersions,
  before: JsonObject,
  after: JsonObject,
  owners: Managers,
  writer: Applier,
  force: Force,
): Comparison {
  const comparisons = new Comparisons(versions, before, after);
  const own = comparisons.at(writer.apiVersion);
  if (own === undefined) throw new Error(`objects cannot be compared in ${writer.apiVersion}`);
  const conflicts = new Map<ManagerId, FieldSet>();
  const removals = new Map<ManagerId, FieldSet>();
  for (const [id, owned] of owners) {
    if (id === writer.id) continue;
    const comparison = comparisons.at(owned.apiVersion);
    if (comparison === undefined) {
      owners.delete(id);
      continue;
    }
    const taken = intersection(owned.set, union(comparison.modified, comparison.added));
    if (!isEmptySet(taken)) conflicts.set(id, taken);
    if (!isEmptySet(comparison.removed)) removals.set(id, comparison.removed);
  }
  if (force === "careful" && conflicts.size > 0) throw new ConflictError(conflictsOf(conflicts));
  for (const changes of [conflicts, removals]) {
    for (const [id, set] of changes) subtract(owners, id, set);
  }
  for (const [id, { set }] of owners) if (isEmptySet(set)) owners.delete(id);
  return own;
}

function subtract(owners: Managers, id: ManagerId, set: FieldSet): void {
  const owned = owners.get(id);
  if (owned === undefined) return;
  const left = difference(owned.set, set);
  if (left !== owned.set) owners.set(id, { ...owned, set: left });
}

function conflictsOf(sets: ReadonlyMap<ManagerId, FieldSet>): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [manager, set] of sets) for (const path of pathsOf(set)) conflicts.push({ manager, path });
  return conflicts;
}

/** The comparison of two objects, in each requested version. */
class Comparisons {
  readonly #versions: EndpointVersions;
  readonly #before: JsonObject;
  readonly #after: JsonObject;
  readonly #known = new Map<string, Comparison | undefined>();

  constructor(versions: EndpointVersions, before: JsonObject, after: JsonObject) {
    this.#versions = versions;
    this.#before = before;
    this.#after = after;
  }

  /** Undefined if the objects cannot be converted to the version. */
  at(apiVersion: string): Comparison | undefined {
    if (this.#known.has(apiVersion)) return this.#known.get(apiVersion);
    const comparison = this.#compare(apiVersion);
    this.#known.set(apiVersion, comparison);
    return comparison;
  }

  #compare(apiVersion: string): Comparison | undefined {
    const { filter } = this.#versions;
    const kind = this.#versions.kindOf(apiVersion);
    const before = inVersion(this.#versions, this.#before, apiVersion);
    const after = inVersion(this.#versions, this.#after, apiVersion);
    if (kind === undefined || before === undefined || after === undefined) return undefined;
    const { removed, modified, added } = compareObjects(kind.type, before, after);
    return { removed: filter(removed), modified: filter(modified), added: filter(added) };
  }
}
