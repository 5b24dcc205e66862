import type { GroupKind } from "../../../apimachinery/group-version.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ObjectChange } from "../../../controllers/contract/controller.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";
import { isOfKind, keyOf } from "../contract/object-key.ts";
import { controllerOf } from "./controller-reference.ts";

/** The objects of a kind by the uid of their controller, so that no controller has to list all of them. */
export class OwnedObjects implements Memory {
  readonly #kind: GroupKind;
  /** By controller and key. */
  readonly #owned: ForkableMap<KubeObject>;
  readonly #known: ForkableMap<KubeObject>;
  /** Several controllers observe the same change; the first one takes it in. */
  #latest: { readonly change: ObjectChange; readonly former: KubeObject | undefined } | undefined;

  constructor(
    kind: GroupKind,
    owned: ForkableMap<KubeObject> = new ForkableMap(),
    known: ForkableMap<KubeObject> = new ForkableMap(),
  ) {
    this.#kind = kind;
    this.#owned = owned;
    this.#known = known;
  }

  fork(): this {
    // The class has no subclasses.
    return new OwnedObjects(this.#kind, this.#owned.fork(), this.#known.fork()) as this;
  }

  /** Takes in a change of an object of the kind, and returns the former state of the object. */
  take(change: ObjectChange): KubeObject | undefined {
    if (this.#latest?.change === change) return this.#latest.former;
    const { type, object } = change;
    if (!isOfKind(object, this.#kind)) return undefined;
    const key = keyOf(object);
    const former = this.#known.get(key);
    const place = ownerPrefix(object) + key;
    const formerPlace = former === undefined ? place : ownerPrefix(former) + key;
    if (type === "delete" || formerPlace !== place) this.#owned.delete(formerPlace);
    if (type === "put") {
      this.#owned.set(place, object);
      this.#known.set(key, object);
    } else this.#known.delete(key);
    this.#latest = { change, former };
    return former;
  }

  /** The objects whose controller has this uid, in the order of their keys. */
  ownedBy(uid: string): readonly KubeObject[] {
    return this.#owned.values(prefixOf(uid));
  }

  /** The objects of a namespace that have no controller. */
  orphansIn(namespace: string): readonly KubeObject[] {
    return this.#owned.values(`${prefixOf("")}${namespace}/`);
  }

  /** The objects of a namespace. */
  allIn(namespace: string): readonly KubeObject[] {
    return this.#known.values(`${namespace}/`);
  }

  get(key: string): KubeObject | undefined {
    return this.#known.get(key);
  }
}

function ownerPrefix(object: KubeObject): string {
  return prefixOf(controllerOf(object)?.uid ?? "");
}

/** Loaded objects can have any uid, so the length keeps it apart from the key. */
function prefixOf(uid: string): string {
  return `${uid.length}:${uid}:`;
}
