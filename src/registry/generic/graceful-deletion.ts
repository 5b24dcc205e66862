import type { StatusError } from "../../apimachinery/errors/errors.ts";
import { conflict } from "../../apimachinery/errors/errors.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { ObjectKey } from "../contract/object-key.ts";
import type { DeleteOptions, Preconditions } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";

const orphanFinalizer = "orphan";
const foregroundFinalizer = "foregroundDeletion";

/**
 * The effect of a delete on an object: none because an earlier deletion is pending, no change, mark it as
 * terminating, remove it, or mark and then remove it, as upstream does for kinds with graceful deletion. `object` is
 * the response.
 */
export type Deletion =
  | { readonly type: "pending" }
  | { readonly type: "unchanged" }
  | { readonly type: "mark" | "remove" | "markAndRemove"; readonly object: MutableKubeObject };

/** Decides on a delete. Upstream: `BeforeDelete`, `deletionFinalizersForGarbageCollection` and `Store.Delete`. */
export function decideDeletion(
  resource: StoredResource,
  object: KubeObject,
  options: DeleteOptions,
): Deletion {
  const { metadata } = object;
  if (isEnding(resource, object)) return { type: "pending" };
  const { beginDeletion } = resource.strategy;
  if (beginDeletion !== undefined && !metadata.deletionTimestamp) {
    return { type: "mark", object: beginDeletion(object, options.now) };
  }
  const wait = waitOf(resource, object, options.gracePeriodSeconds);
  if (wait === "pending") return { type: "pending" };
  const grace = wait ?? 0;
  const finalizers = finalizersAfter(resource, metadata.finalizers ?? [], options);
  const isHeld = finalizers.length > 0 || grace > 0 || resource.strategy.hasOtherFinalizers(object);
  const next = terminating(object, finalizers, grace, options.now, resource);
  if (isHeld) return hasChanged(object, next) ? { type: "mark", object: next } : { type: "unchanged" };
  // A kind without a grace period is removed without a mark.
  return wait === undefined
    ? { type: "remove", object: { ...object } }
    : { type: "markAndRemove", object: next };
}

/** A terminating namespace ignores the propagation policy of further deletes. */
function isEnding({ strategy }: StoredResource, object: KubeObject): boolean {
  if (strategy.deletion !== "namespace" || !object.metadata.deletionTimestamp) return false;
  return strategy.hasOtherFinalizers(object);
}

/** The grace period in seconds; undefined for kinds without one, `pending` if an earlier deletion stays in effect. */
function waitOf(
  { strategy }: StoredResource,
  object: KubeObject,
  requested: number | undefined,
): number | "pending" | undefined {
  const asked = requested !== undefined && requested < 0 ? 1 : requested;
  const wait = strategy.gracePeriodSeconds(object, asked);
  const { deletionTimestamp, deletionGracePeriodSeconds: before } = object.metadata;
  if (wait === undefined || !deletionTimestamp || before === undefined) return wait;
  // Only a client can shorten a pending grace period.
  return asked === undefined || asked >= before ? "pending" : asked;
}

/** Whether nothing prevents the removal of the terminating object, so that this update removes it. */
export function isFinished(resource: StoredResource, object: KubeObject, old: KubeObject): boolean {
  if (!object.metadata.deletionTimestamp || (object.metadata.finalizers ?? []).length > 0) return false;
  if (resource.strategy.hasOtherFinalizers(object)) return false;
  return (old.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** @throws {StatusError} conflict, which names the kind instead of the resource except for namespaces */
export function checkPreconditions(
  resource: StoredResource,
  key: ObjectKey,
  object: KubeObject,
  preconditions: Preconditions,
): void {
  const { uid = "", resourceVersion = "" } = object.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    throw preconditionFailed(resource, key, "UID", preconditions.uid, uid, "deleted and then recreated");
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const sent = preconditions.resourceVersion;
    throw preconditionFailed(resource, key, "ResourceVersion", sent, resourceVersion, "modified");
  }
}

function preconditionFailed(
  resource: StoredResource,
  key: ObjectKey,
  what: string,
  sent: string,
  live: string,
  happened: string,
): StatusError {
  if (resource.strategy.deletion === "namespace") {
    const text = `Precondition failed: ${what} in precondition: ${sent}, ${what} in object meta: ${live}`;
    return conflict(resource.definition.groupResource, key.name, text);
  }
  const { group, kind } = resource.definition.gvk;
  const mismatch = `the ${what} in the precondition (${sent}) does not match the ${what} in record (${live})`;
  return conflict({ group, resource: kind }, key.name, `${mismatch}. The object might have been ${happened}`);
}

function finalizersAfter(
  resource: StoredResource,
  existing: readonly string[],
  options: DeleteOptions,
): readonly string[] {
  const { garbageCollectionPolicy } = resource.strategy;
  if (garbageCollectionPolicy === undefined) return existing;
  const orphans = shouldOrphan(existing, options, garbageCollectionPolicy);
  const foreground = shouldDeleteDependentsFirst(resource, existing, options);
  const kept = existing.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  if (orphans) kept.push(orphanFinalizer);
  if (foreground) kept.push(foregroundFinalizer);
  return isSameSet(existing, kept) ? existing : kept;
}

/** Finalizers that do not change as a set keep their order. */
function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.every((name) => b.includes(name)) && b.every((name) => a.includes(name));
}

function shouldOrphan(
  existing: readonly string[],
  options: DeleteOptions,
  byDefault: "background" | "orphan",
): boolean {
  if (options.orphanDependents !== undefined) return options.orphanDependents;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === "Orphan";
  const decided = existing.find((name) => name === orphanFinalizer || name === foregroundFinalizer);
  return decided === undefined ? byDefault === "orphan" : decided === orphanFinalizer;
}

function shouldDeleteDependentsFirst(
  { strategy }: StoredResource,
  existing: readonly string[],
  options: DeleteOptions,
): boolean {
  const { orphanDependents } = options;
  if (orphanDependents !== undefined) return strategy.deletion === "namespace" && !orphanDependents;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === "Foreground";
  const decided = existing.find((name) => name === orphanFinalizer || name === foregroundFinalizer);
  return decided === foregroundFinalizer;
}

function terminating(
  object: KubeObject,
  finalizers: readonly string[],
  grace: number,
  now: number,
  resource: StoredResource,
): MutableKubeObject {
  const next: MutableKubeObject = { ...object, metadata: { ...object.metadata } };
  const { metadata } = next;
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  markDeleted(next, grace, now);
  resource.strategy.prepareForTermination(next);
  return next;
}

/** A further delete may shorten the grace period, which `waitOf` has checked, and changes nothing else. */
function markDeleted(object: MutableKubeObject, grace: number, now: number): void {
  const { metadata } = object;
  const { deletionTimestamp, deletionGracePeriodSeconds: before } = metadata;
  if (!deletionTimestamp) {
    if (metadata.generation) metadata.generation += 1;
    metadata.deletionTimestamp = formatTime(now + grace * 1000);
  } else if (before !== undefined) {
    metadata.deletionTimestamp = formatTime(Date.parse(deletionTimestamp) + (grace - before) * 1000);
  } else {
    return;
  }
  metadata.deletionGracePeriodSeconds = grace;
}

function hasChanged(object: KubeObject, next: KubeObject): boolean {
  const before = object.metadata;
  const after = next.metadata;
  if (before.deletionTimestamp !== after.deletionTimestamp) return true;
  return (before.finalizers ?? []).join() !== (after.finalizers ?? []).join();
}
