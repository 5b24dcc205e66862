import type { KubeObject, OwnerReference } from "../../apimachinery/object-meta.ts";
import { ForkableMap } from "../../store/forkable-map.ts";
import { ForkableTable } from "../../store/forkable-table.ts";

interface Known {
  readonly object: KubeObject;
  /** The number of objects that appeared before it. */
  readonly order: number;
}

/** The graph of owners and dependents by uid, updated with every change. A fork takes constant time. */
export class OwnerGraph {
  readonly #objects: ForkableTable<Known>;
  /** The uids of dependents by owner and order. */
  readonly #dependents: ForkableMap<string>;
  #appeared: number;
  /** Objects that are not in the map yet: those of a new cluster, for which most tests never ask. */
  #unread: readonly KubeObject[];

  /** `unread` are objects without owners. */
  constructor(
    unread: readonly KubeObject[] = [],
    objects: ForkableTable<Known> = new ForkableTable(),
    dependents: ForkableMap<string> = new ForkableMap(),
    appeared = 0,
  ) {
    this.#unread = unread;
    this.#objects = objects;
    this.#dependents = dependents;
    this.#appeared = appeared;
  }

  fork(): OwnerGraph {
    return new OwnerGraph(this.#unread, this.#objects.fork(), this.#dependents.fork(), this.#appeared);
  }

  /** The uids of the objects that reference this one as their owner, in the order in which they appeared. */
  dependentsOf(uid: string): readonly string[] {
    return this.#dependents.values(edgesOf(uid));
  }

  /** The object of a uid, if it exists. */
  get(uid: string): KubeObject | undefined {
    if (this.#unread.length > 0) this.#read();
    return this.#objects.get(uid)?.object;
  }

  /** Adds or updates an object. Returns the owners that it had before. */
  put(object: KubeObject): readonly OwnerReference[] {
    const { uid } = object.metadata;
    if (uid === undefined) return none;
    const appeared = this.#appeared;
    const known = this.#objects.get(uid);
    this.#objects.set(uid, { object, order: known?.order ?? appeared });
    if (known === undefined) this.#appeared += 1;
    const owners = ownersOf(object);
    const before = ownersOf(known?.object);
    if (owners === before) return before;
    const order = orderOf(known?.order ?? appeared);
    const wanted = uidsOf(owners);
    const present = uidsOf(before);
    for (const owner of present) if (!wanted.has(owner)) this.#dependents.delete(edgesOf(owner) + order);
    for (const owner of wanted) if (!present.has(owner)) this.#dependents.set(edgesOf(owner) + order, uid);
    return before;
  }

  /** Removes an object. Returns the uids of its dependents, which still reference it. */
  delete(object: KubeObject): readonly string[] {
    const { uid = "" } = object.metadata;
    const known = this.#objects.get(uid);
    if (known !== undefined) {
      const order = orderOf(known.order);
      for (const owner of uidsOf(ownersOf(known.object))) this.#dependents.delete(edgesOf(owner) + order);
    }
    this.#objects.delete(uid);
    this.#unread = this.#unread.filter(({ metadata }) => metadata.uid !== uid);
    return this.dependentsOf(uid);
  }

  #read(): void {
    for (const object of this.#unread) {
      const { uid } = object.metadata;
      // One that was put since then is newer.
      if (uid !== undefined && !this.#objects.has(uid)) this.put(object);
    }
    this.#unread = [];
  }
}

/** The prefix of the edges to an owner. Clients choose the uids in references, so the length keeps them apart. */
function edgesOf(owner: string): string {
  return `${owner.length}:${owner}:`;
}

/** Numbers below 2^53 as text of one length, so that dependents are sorted in the order in which they appeared. */
function orderOf(number: number): string {
  return number.toString(36).padStart(11, "0");
}

function uidsOf(owners: readonly OwnerReference[]): ReadonlySet<string> {
  return new Set(owners.map(({ uid }) => uid));
}

const none: readonly OwnerReference[] = [];

/** The owner references of an object. */
export function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? none;
}
