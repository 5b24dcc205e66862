import type { JsonObject } from "../../apimachinery/json.ts";
import { formatTime } from "../../apimachinery/time.ts";
import { capUpdaters } from "./cap-managers.ts";
import { emptySet, type FieldSet, isEmptySet } from "./field-set.ts";
import { knownIfEqual, union } from "./field-set-algebra.ts";
import { type Managed, type ManagerId, type Managers, managerId, noManaged } from "./managed-fields.ts";
import { withoutNeverOwned } from "./never-owned.ts";
import { applyOwners, type EndpointVersions, type Force, updateOwners } from "./updater.ts";

/** The endpoint of a write. */
export interface Endpoint extends EndpointVersions {
  readonly apiVersion: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Whether entries name the subresource, as they do since 1.22. Default: true. */
  readonly namesSubresource?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The temporary identity of the writer until it is clear whether the write changed the object. */
const currentOperation: ManagerId = "current-operation";

/**
 * The entries after `manager` changed `before` to `after` with a write other than apply. The manager's time changes if
 * the object changes.
 */
export function trackUpdate(
  endpoint: Endpoint,
  before: JsonObject,
  after: JsonObject,
  managed: Managed,
  manager: string,
): Managed {
  const { apiVersion } = endpoint;
  const writer = { id: currentOperation, apiVersion };
  const managers = updateOwners(endpoint, before, after, managed.managers, writer);
  stripNeverOwned(managers, currentOperation);
  const tracked = { managers, times: new Map(managed.times), sources: managed.sources };
  const changed = managers.get(currentOperation);
  if (changed !== undefined) {
    const id = entryId(endpoint, manager, "Update");
    const joined = union(changed.set, managers.get(id)?.set ?? emptySet);
    // A manager that writes its own fields again has lost them to this write, and gets the same set back.
    const set = knownIfEqual(managed.managers.get(id)?.set, joined);
    managers.delete(currentOperation);
    managers.set(id, { set, apiVersion, applied: changed.applied });
    tracked.times.set(id, formatTime(endpoint.now()));
  }
  capUpdaters(tracked);
  return tracked;
}

/** The entries of a new object that was sent without entries: its creator owns all its fields. */
export function trackCreate(endpoint: Endpoint, owned: FieldSet, manager: string): Managed {
  const { apiVersion } = endpoint;
  const managed = noManaged();
  if (isEmptySet(owned)) return managed;
  const id = entryId(endpoint, manager, "Update");
  managed.managers.set(id, { set: owned, apiVersion, applied: false });
  managed.times.set(id, formatTime(endpoint.now()));
  return managed;
}

/** The result of an apply. */
export interface TrackedApply {
  readonly managed: Managed;
  /** The merged object; undefined if it equals the live one. */
  readonly object: JsonObject | undefined;
}

/**
 * The entries after `manager` applied a configuration. The manager's time changes if the object changes.
 * @throws {ConflictError} for fields that other managers own, unless the apply is forced
 */
export function trackApply(
  endpoint: Endpoint,
  live: JsonObject,
  config: JsonObject,
  managed: Managed,
  manager: string,
  force: Force,
): TrackedApply {
  const id = entryId(endpoint, manager, "Apply");
  const applier = { id, apiVersion: endpoint.apiVersion };
  const { managers, object } = applyOwners(endpoint, live, config, managed.managers, applier, force);
  stripNeverOwned(managers, id);
  const times = new Map(managed.times);
  if (object !== undefined) times.set(id, formatTime(endpoint.now()));
  return { managed: { ...managed, managers, times }, object };
}

function entryId(endpoint: Endpoint, manager: string, operation: "Apply" | "Update"): ManagerId {
  const { apiVersion, namesSubresource = true } = endpoint;
  const subresource = namesSubresource ? endpoint.subresource : "";
  const name = manager === "" ? "unknown" : manager;
  return managerId({ manager: name, operation, apiVersion, subresource });
}

function stripNeverOwned(managers: Managers, id: ManagerId): void {
  const owned = managers.get(id);
  if (owned === undefined) return;
  const set = withoutNeverOwned(owned.set);
  if (isEmptySet(set)) managers.delete(id);
  else managers.set(id, { set, apiVersion: owned.apiVersion, applied: owned.applied });
}
