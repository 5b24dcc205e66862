import type { KubeObject } from "../apimachinery/object-meta.ts";

/**
 * The object of a resource that was created last. Objects are often created from one template, so the next object probably
 * has equal parts, which it can share.
 */
export class LatestObject {
  #object: KubeObject | undefined;

  get object(): KubeObject | undefined {
    return this.#object;
  }

  /** Sets the object; it is frozen, as stored objects are. */
  replace(object: KubeObject): void {
    this.#object = object;
  }
}
