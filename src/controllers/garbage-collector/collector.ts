import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { formatGroupVersion, parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject, OwnerReference } from "../../apimachinery/object-meta.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";
import type { ApiView } from "../../served/api-view.ts";
import type { ControllerClient } from "../contract/controller.ts";
import type { LoadRecord } from "../contract/load-record.ts";
import type { CollectorMemory } from "./collector-memory.ts";
import { foregroundFinalizer, orphanFinalizer, policyOf } from "./deletion-policy.ts";
import { type OwnerGraph, ownersOf } from "./graph.ts";
import { invalidOwnerEvent } from "./invalid-owner.ts";

/** What the collector asks of the API: the resources of kinds. */
export type CollectedApi = Pick<ApiView, "groupVersions" | "resourceOfKind">;

/** The dependencies of a collector. */
export interface CollectorOptions {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly served: { readonly current: CollectedApi };
  readonly loads: Pick<LoadRecord, "isAbsentOwner">;
  readonly now: () => number;
  readonly memory: CollectorMemory;
}

/**
 * Deletes objects without any existing owner, and completes deletions that wait for dependents. It decides as
 * upstream's garbagecollector:
 *
 * | an object with | is |
 * | --- | --- |
 * | an existing owner | kept; references to missing owners are removed |
 * | only owners that wait for it (foreground) | deleted, in the foreground if it has dependents that block it |
 * | such an owner, and a dependent that waits too | the same, and no longer blocks its owners: that could be a cycle |
 * | only missing owners | deleted |
 *
 * An owner that a load did not contain counts as existing.
 */
export class Collector {
  readonly #memory: CollectorMemory;
  readonly #lister: Lister;
  readonly #client: ControllerClient;
  readonly #served: CollectorOptions["served"];
  readonly #loads: Pick<LoadRecord, "isAbsentOwner">;
  readonly #now: () => number;

  constructor({ lister, client, served, loads, now, memory }: CollectorOptions) {
    this.#memory = memory;
    this.#lister = lister;
    this.#loads = loads;
    this.#now = now;
    this.#client = client;
    this.#served = served;
  }

  get #graph(): OwnerGraph {
    return this.#memory.graph;
  }

  async reconcile(uid: string): Promise<void> {
    const known = this.#graph.get(uid);
    if (known !== undefined && this.#kindOf(known) === undefined) this.#memory.addUnresolved(uid);
    const object = this.#live(uid);
    if (object === undefined) return;
    try {
      if (object.metadata.deletionTimestamp) await this.#finishDeletion(uid, object);
      else if (ownersOf(object).length > 0) await this.#collect(uid, object);
    } catch (error) {
      // The object was deleted or changed; that change is observed on its own.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** The current object, unless it was replaced by another one with the same name. */
  #live(uid: string): KubeObject | undefined {
    const object = this.#graph.get(uid);
    if (object === undefined) return undefined;
    const live = this.#find(this.#kindOf(object), object.metadata.namespace, object.metadata.name);
    return live?.metadata.uid === uid ? live : undefined;
  }

  #resourceOf(apiVersion: string, kind: string): ApiResource | undefined {
    return this.#served.current.resourceOfKind(apiVersion, kind);
  }

  /** The resource of an object, in another version if the one in which it is stored is not served. */
  #kindOf({ apiVersion, kind }: KubeObject): ApiResource | undefined {
    const own = this.#resourceOf(apiVersion, kind);
    const group = parseGroupVersion(apiVersion)?.group;
    if (own !== undefined || group === undefined) return own;
    const others = this.#served.current.groupVersions().filter((gv) => gv.group === group);
    return others.flatMap((gv) => this.#resourceOf(formatGroupVersion(gv), kind) ?? [])[0];
  }

  #servedVersionOf(object: KubeObject): string {
    const resource = this.#kindOf(object);
    return resource === undefined ? object.apiVersion : formatGroupVersion(resource);
  }

  #find(
    resource: ApiResource | undefined,
    namespace: string | undefined,
    name: string | undefined,
  ): KubeObject | undefined {
    if (resource === undefined || name === undefined) return undefined;
    return this.#lister.get(resource, resource.namespaced ? (namespace ?? "") : "", name);
  }

  async #finishDeletion(uid: string, object: KubeObject): Promise<void> {
    const finalizers = object.metadata.finalizers ?? [];
    if (finalizers.includes(orphanFinalizer)) {
      for (const dependent of this.#dependents(uid)) await this.#removeOwners(dependent, new Set([uid]));
      await this.#removeFinalizer(object, orphanFinalizer);
    } else if (finalizers.includes(foregroundFinalizer)) {
      await this.#deleteDependentsFirst(uid, object);
    }
  }

  async #deleteDependentsFirst(uid: string, object: KubeObject): Promise<void> {
    const dependents = this.#dependents(uid);
    const blocks = (dependent: KubeObject) =>
      ownersOf(dependent).some((owner) => owner.uid === uid && isBlocked(owner));
    if (!dependents.some(blocks)) return this.#removeFinalizer(object, foregroundFinalizer);
    for (const dependent of dependents) {
      if (!dependent.metadata.deletionTimestamp) await this.reconcile(dependent.metadata.uid ?? "");
    }
  }

  #dependents(uid: string): readonly KubeObject[] {
    return this.#graph.dependentsOf(uid).flatMap((dependent) => this.#live(dependent) ?? []);
  }

  async #collect(uid: string, object: KubeObject): Promise<void> {
    const owners = ownersOf(object).map((owner) => ({ owner, state: this.#stateOf(owner, object) }));
    await this.#reportMisplaced(object);
    const gone = owners.filter(({ state }) => state === "gone").map(({ owner }) => owner.uid);
    const waiting = owners.filter(({ state }) => state === "waiting").map(({ owner }) => owner.uid);
    if (owners.some(({ state }) => state === "unknown")) {
      this.#memory.addUnresolved(uid);
      return;
    }
    if (owners.some(({ state }) => state === "present"))
      return this.#removeOwners(object, new Set([...gone, ...waiting]));
    const dependents = waiting.length > 0 ? this.#dependents(uid) : [];
    // A dependent that waits itself may wait for this object, directly or indirectly.
    if (dependents.some(isWaiting)) await this.#unblockOwners(object);
    await this.#delete(object, dependents.length > 0 ? "Foreground" : policyOf(object));
  }

  async #unblockOwners(object: KubeObject): Promise<void> {
    const owners = ownersOf(object);
    if (!owners.some(isBlocked)) return;
    const ownerReferences = owners.map((owner) =>
      isBlocked(owner) ? { ...owner, blockOwnerDeletion: false } : owner,
    );
    await this.#patchMetadata(object, { ownerReferences });
  }

  #stateOf(owner: OwnerReference, dependent: KubeObject): "present" | "waiting" | "gone" | "unknown" {
    const resource = this.#resourceOf(owner.apiVersion, owner.kind);
    if (resource === undefined || parseGroupVersion(owner.apiVersion) === undefined) return "unknown";
    // A namespaced object cannot own a cluster-scoped one; upstream keeps the dependent and reports an Event.
    if (resource.namespaced && !dependent.metadata.namespace) return "unknown";
    const found = this.#find(resource, dependent.metadata.namespace, owner.name);
    if (found?.metadata.uid !== owner.uid) return this.#loads.isAbsentOwner(owner.uid) ? "present" : "gone";
    return isWaiting(found) ? "waiting" : "present";
  }

  /** Reports once that an owner is in another namespace and therefore ignored. */
  async #reportMisplaced(object: KubeObject): Promise<void> {
    const { uid = "", namespace } = object.metadata;
    for (const owner of ownersOf(object)) {
      const home = this.#graph.get(owner.uid)?.metadata.namespace;
      if (home === undefined || home === namespace) continue;
      if (!this.#memory.isFirstReport(uid, owner.uid)) continue;
      // A failed Event does not stop the collection.
      await this.#client.create(invalidOwnerEvent(object, owner, this.#now())).catch(() => {});
    }
  }

  async #delete(
    object: KubeObject,
    propagationPolicy: "Orphan" | "Background" | "Foreground",
  ): Promise<void> {
    const { name = "", namespace, uid = "" } = object.metadata;
    await this.#client.delete(this.#servedVersionOf(object), object.kind, name, {
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
    await this.#patchMetadata(object, { finalizers });
  }

  async #patchMetadata(object: KubeObject, change: KubeObject["metadata"] | object): Promise<void> {
    const { name = "", namespace, uid = "", resourceVersion = "" } = object.metadata;
    const patch = { metadata: { uid, resourceVersion, ...change } };
    const place = namespace === undefined ? {} : { namespace };
    await this.#client.patch(this.#servedVersionOf(object), object.kind, name, patch, place);
  }
}

/** Whether the reference blocks the deletion of its owner. */
function isBlocked(owner: OwnerReference): boolean {
  return owner["blockOwnerDeletion"] === true;
}

/** Whether an object waits for its dependents to be deleted first. */
function isWaiting(object: KubeObject | undefined): boolean {
  if (!object?.metadata.deletionTimestamp) return false;
  return (object.metadata.finalizers ?? []).includes(foregroundFinalizer);
}
