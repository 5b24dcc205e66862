import type { KubeObject, OwnerReference } from "../../apimachinery/object-meta.ts";

/** An object in the graph. */
export interface Node {
  readonly uid: string;
  /** Undefined for an owner that is known only from references. */
  object: KubeObject | undefined;
  /** The uids of the objects that reference this one as their owner. */
  readonly dependents: Set<string>;
}

/** The graph of owners and dependents by uid, updated with every change. */
export class OwnerGraph {
  readonly #nodes = new Map<string, Node>();

  get(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  /** Adds or updates an object. */
  put(object: KubeObject): void {
    const { uid } = object.metadata;
    if (uid === undefined) return;
    const node = this.#nodeOf(uid);
    const before = ownersOf(node.object);
    const owners = ownersOf(object);
    node.object = object;
    for (const owner of owners) this.#nodeOf(owner.uid).dependents.add(uid);
    if (before.length === 0) return;
    const kept = new Set(owners.map((owner) => owner.uid));
    for (const owner of before) if (!kept.has(owner.uid)) this.#leave(owner.uid, uid);
  }

  /** Removes an object. Its dependents still reference it. */
  delete(object: KubeObject): Node | undefined {
    const node = this.#nodes.get(object.metadata.uid ?? "");
    if (node === undefined) return undefined;
    for (const owner of ownersOf(node.object)) this.#leave(owner.uid, node.uid);
    node.object = undefined;
    if (node.dependents.size === 0) this.#nodes.delete(node.uid);
    return node;
  }

  #nodeOf(uid: string): Node {
    const known = this.#nodes.get(uid);
    if (known !== undefined) return known;
    const node: Node = { uid, object: undefined, dependents: new Set() };
    this.#nodes.set(uid, node);
    return node;
  }

  #leave(owner: string, dependent: string): void {
    const node = this.#nodes.get(owner);
    node?.dependents.delete(dependent);
    if (node?.object === undefined && node?.dependents.size === 0) this.#nodes.delete(owner);
  }
}

/** The owner references of an object. */
export function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}
