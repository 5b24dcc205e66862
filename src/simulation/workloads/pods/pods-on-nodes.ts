import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ObjectChange } from "../../../controllers/contract/controller.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";
import { keyOf } from "../contract/object-key.ts";

/** The keys of the pods by their nodes, so that no controller has to list all pods. */
export class PodsOnNodes implements Memory {
  /** By node and key. */
  readonly #keys: ForkableMap<string>;

  constructor(keys: ForkableMap<string> = new ForkableMap()) {
    this.#keys = keys;
  }

  fork(): this {
    // The class has no subclasses.
    return new PodsOnNodes(this.#keys.fork()) as this;
  }

  /** Takes in a change of a pod; the same change may come several times. */
  take({ type, object }: ObjectChange): void {
    const node = nodeOf(object);
    if (node === "") return;
    const key = keyOf(object);
    const place = `${node}/${key}`;
    if (type === "delete") this.#keys.delete(place);
    else if (!this.#keys.has(place)) this.#keys.set(place, key);
  }

  /** The keys of the pods on a node, in order. */
  on(node: string): readonly string[] {
    return this.#keys.values(`${node}/`);
  }

  isEmpty(node: string): boolean {
    return this.#keys.values(`${node}/`, 1).length === 0;
  }
}

/** The name of the node that a pod is assigned to, or an empty text. */
export function nodeOf(pod: KubeObject): string {
  return textAt(pod, "spec", "nodeName");
}
