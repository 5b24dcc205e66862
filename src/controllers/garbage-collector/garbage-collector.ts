import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject, OwnerReference } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { Controller, ObjectChange } from "../contract/controller.ts";
import type { Collector, CollectorOptions } from "./collector.ts";
import type { CollectorMemory } from "./collector-memory.ts";
import { policyOf } from "./deletion-policy.ts";
import { type OwnerGraph, ownersOf } from "./graph.ts";

/** The dependencies of the garbage collector. */
export interface GarbageCollectorOptions extends CollectorOptions {
  readonly since: Since;
}

/**
 * Deletes objects without any existing owner, and completes deletions that wait for dependents. It observes all objects but Events;
 * the code that decides about one is loaded for the first object with an owner or a deletion that waits.
 */
export function garbageCollector(options: GarbageCollectorOptions): Controller {
  const { memory, since } = options;
  let collector: Collector | undefined;
  // Until 1.24, upstream leaves out the Events of the core group only, and sees them in events.k8s.io (graph_builder.go).
  const leavesOutEvents = since("1.25");
  return {
    name: "garbage-collector-controller",
    observe: (change) => (leavesOutEvents && isEvent(change.object) ? none : affectedBy(change, memory)),
    observeApi: () => memory.takeUnresolved(),
    reconcile: async (uid) => {
      if (collector === undefined) {
        const { Collector } = await import("./collector.ts");
        collector ??= new Collector(options);
      }
      return collector.reconcile(uid);
    },
  };
}

function isEvent({ kind, apiVersion }: KubeObject): boolean {
  return kind === "Event" && apiVersion === "v1";
}

const none: readonly string[] = [];

/** The uids to reconcile: that of the object, and those of the objects that its change affects. */
function affectedBy({ type, object }: ObjectChange, memory: CollectorMemory): readonly string[] {
  const references = ownersOf(object);
  if (type === "delete") return [...memory.forget(object), ...references.map(({ uid }) => uid)];
  const { graph } = memory;
  const { uid = "", deletionTimestamp } = object.metadata;
  const before = graph.put(object);
  // Most changes are of objects without owners.
  if (references.length === 0 && before.length === 0 && !deletionTimestamp) return none;
  const owners = references.map((owner) => owner.uid);
  const former = references === before ? [] : before.map((owner) => owner.uid);
  // Terminating owners may wait for this object to stop blocking them, or for another try to make it an orphan.
  const waiting = [...owners, ...former].filter((owner) => isHeld(graph.get(owner)));
  if (deletionTimestamp) return [uid, ...waiting];
  const isKept = jsonEqual(references, before) && references.every((owner) => isOwner(graph, object, owner));
  return owners.length > 0 && !isKept ? [uid, ...waiting] : waiting;
}

/** Whether an object has this owner, which stays. Such an object waits for the owner to change. */
function isOwner(
  graph: OwnerGraph,
  { metadata: { namespace } }: KubeObject,
  { uid, kind, name }: OwnerReference,
): boolean {
  const owner = graph.get(uid);
  if (owner === undefined || owner.metadata.deletionTimestamp) return false;
  if (owner.kind !== kind || owner.metadata.name !== name) return false;
  return (owner.metadata.namespace ?? namespace) === namespace;
}

/** Whether an object terminates, and the garbage collector has yet to remove its finalizer. */
function isHeld(object: KubeObject | undefined): boolean {
  if (!object?.metadata.deletionTimestamp) return false;
  return policyOf(object) !== "Background";
}
