import { isConflict, isNotFound } from "../../apimachinery/error-predicates.ts";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject, OwnerReference } from "../../apimachinery/object-meta.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";
import type { Controller, ControllerClient, ObjectChange } from "../controller.ts";
import { type Node, OwnerGraph, ownersOf } from "./graph.ts";

const orphanFinalizer = "orphan";
const foregroundFinalizer = "foregroundDeletion";

/** What the collector needs to know of kinds. */
export type ResourceOfKind = (apiVersion: string, kind: string) => ApiResource | undefined;

/**
 * Deletes objects whose owners are all gone, and finishes deletions that wait for dependents; upstream's
 * garbagecollector, decision by decision.
 *
 * | an object that | is |
 * | --- | --- |
 * | has an owner that is there | kept; names of owners that are gone are taken away |
 * | has only owners that wait for it (foreground) | deleted, first of all its own dependents if they block it |
 * | has only owners that are gone | deleted |
 */
export function garbageCollector(
  lister: Lister,
  client: ControllerClient,
  resourceOf: ResourceOfKind,
): Controller {
  const collector = new Collector(lister, client, resourceOf);
  return {
    name: "garbage-collector-controller",
    observe: (change) => collector.observe(change),
    reconcile: (uid) => collector.reconcile(uid),
  };
}

class Collector {
  readonly #graph = new OwnerGraph();
  readonly #lister: Lister;
  readonly #client: ControllerClient;
  readonly #resourceOf: ResourceOfKind;

  constructor(lister: Lister, client: ControllerClient, resourceOf: ResourceOfKind) {
    this.#lister = lister;
    this.#client = client;
    this.#resourceOf = resourceOf;
  }

  /** The uids to look at: of the object, and of those that its change concerns. */
  observe({ type, object }: ObjectChange): Iterable<string> {
    const owners = ownersOf(object).map(({ uid }) => uid);
    if (type === "delete") return [...(this.#graph.delete(object)?.dependents ?? []), ...owners];
    this.#graph.put(object);
    const { uid = "" } = object.metadata;
    // Owners that are being deleted may wait for this one to stop blocking them.
    const waiting = owners.filter((owner) => isWaiting(this.#graph.get(owner)?.object));
    return owners.length > 0 || object.metadata.deletionTimestamp ? [uid, ...waiting] : waiting;
  }

  async reconcile(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    const object = node && this.#live(node);
    if (node === undefined || object === undefined) return;
    try {
      if (object.metadata.deletionTimestamp) await this.#finishDeletion(node, object);
      else if (ownersOf(object).length > 0) await this.#collect(node, object);
    } catch (error) {
      // It is gone, or has changed: the change is looked at for itself.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** The object as it is now, unless it is another one by now. */
  #live({ uid, object }: Node): KubeObject | undefined {
    if (object === undefined) return undefined;
    const live = this.#find(object.apiVersion, object.kind, object.metadata.namespace, object.metadata.name);
    return live?.metadata.uid === uid ? live : undefined;
  }

  #find(
    apiVersion: string,
    kind: string,
    namespace: string | undefined,
    name: string | undefined,
  ): KubeObject | undefined {
    const resource = this.#resourceOf(apiVersion, kind);
    if (resource === undefined || name === undefined) return undefined;
    return this.#lister.get(resource, resource.namespaced ? (namespace ?? "") : "", name);
  }

  async #finishDeletion(node: Node, object: KubeObject): Promise<void> {
    const finalizers = object.metadata.finalizers ?? [];
    if (finalizers.includes(orphanFinalizer)) {
      for (const dependent of this.#dependents(node))
        await this.#removeOwners(dependent, new Set([node.uid]));
      await this.#removeFinalizer(object, orphanFinalizer);
    } else if (finalizers.includes(foregroundFinalizer)) {
      await this.#deleteDependentsFirst(node, object);
    }
  }

  async #deleteDependentsFirst(node: Node, object: KubeObject): Promise<void> {
    const dependents = this.#dependents(node);
    const isBlocked = dependents.some((dependent) =>
      ownersOf(dependent).some((owner) => owner.uid === node.uid && owner["blockOwnerDeletion"] === true),
    );
    if (!isBlocked) return this.#removeFinalizer(object, foregroundFinalizer);
    for (const dependent of dependents) {
      if (!dependent.metadata.deletionTimestamp) await this.reconcile(dependent.metadata.uid ?? "");
    }
  }

  #dependents({ dependents }: Node): readonly KubeObject[] {
    return [...dependents].flatMap((uid) => {
      const node = this.#graph.get(uid);
      return (node && this.#live(node)) ?? [];
    });
  }

  async #collect(node: Node, object: KubeObject): Promise<void> {
    const owners = ownersOf(object).map((owner) => ({ owner, state: this.#stateOf(owner, object) }));
    const gone = owners.filter(({ state }) => state === "gone").map(({ owner }) => owner.uid);
    const waiting = owners.filter(({ state }) => state === "waiting").map(({ owner }) => owner.uid);
    if (owners.some(({ state }) => state === "unknown")) return;
    if (owners.some(({ state }) => state === "present")) {
      if (gone.length + waiting.length > 0) await this.#removeOwners(object, new Set([...gone, ...waiting]));
      return;
    }
    const isForeground = waiting.length > 0 && this.#dependents(node).length > 0;
    await this.#delete(object, isForeground ? "Foreground" : policyOf(object));
  }

  #stateOf(owner: OwnerReference, dependent: KubeObject): "present" | "waiting" | "gone" | "unknown" {
    const resource = this.#resourceOf(owner.apiVersion, owner.kind);
    if (resource === undefined || parseGroupVersion(owner.apiVersion) === undefined) return "unknown";
    // An object of the whole cluster cannot be owned from within a namespace; upstream keeps it and says so in an Event.
    if (resource.namespaced && !dependent.metadata.namespace) return "unknown";
    const found = this.#find(owner.apiVersion, owner.kind, dependent.metadata.namespace, owner.name);
    if (found?.metadata.uid !== owner.uid) return "gone";
    return isWaiting(found) ? "waiting" : "present";
  }

  async #delete(
    object: KubeObject,
    propagationPolicy: "Orphan" | "Background" | "Foreground",
  ): Promise<void> {
    const { name = "", namespace, uid = "" } = object.metadata;
    await this.#client.delete(object.apiVersion, object.kind, name, {
      ...(namespace !== undefined && { namespace }),
      propagationPolicy,
      preconditions: { uid },
    });
  }

  async #removeOwners(object: KubeObject, uids: ReadonlySet<string>): Promise<void> {
    const kept = ownersOf(object).filter(({ uid }) => !uids.has(uid));
    if (kept.length === ownersOf(object).length) return;
    await this.#patchMetadata(object, { ownerReferences: kept.length > 0 ? kept : null });
  }

  async #removeFinalizer(object: KubeObject, finalizer: string): Promise<void> {
    const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    await this.#patchMetadata(object, { finalizers: finalizers.length > 0 ? finalizers : null });
  }

  async #patchMetadata(object: KubeObject, change: KubeObject["metadata"] | object): Promise<void> {
    const { name = "", namespace, uid = "", resourceVersion = "" } = object.metadata;
    const patch = { metadata: { uid, resourceVersion, ...change } };
    const place = namespace === undefined ? {} : { namespace };
    await this.#client.patch(object.apiVersion, object.kind, name, patch, place);
  }
}

/** Whether an object waits for its dependents to go first. */
function isWaiting(object: KubeObject | undefined): boolean {
  if (!object?.metadata.deletionTimestamp) return false;
  return (object.metadata.finalizers ?? []).includes(foregroundFinalizer);
}

/** What an object's finalizers have decided about its dependents. */
function policyOf(object: KubeObject): "Orphan" | "Background" | "Foreground" {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(orphanFinalizer)) return "Orphan";
  return finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background";
}
