import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** A change that has been made: what an object is now, or was last. */
export interface ObjectChange {
  readonly type: "put" | "delete";
  readonly object: KubeObject;
  /** It was there when the controllers began to look: when it was made or changed, it has to say itself. */
  readonly isFound: boolean;
}

/** A loop that brings the cluster to where it shall be. */
export interface Controller {
  /** kube-controller-manager's name for it. */
  readonly name: string;
  /**
   * Takes note of a change, and says what has to be looked at because of it. It reads nothing that could fail: there is
   * no second time.
   */
  readonly observe: (change: ObjectChange) => Iterable<string>;
  /**
   * Looks at one thing, and may say in how many milliseconds it wants to look again. What it throws is tried again, later
   * and later.
   */
  readonly reconcile: (key: string) => Promise<void> | Promise<number | undefined>;
}

/** Where an object is that a controller writes. */
export interface Target {
  readonly namespace?: string;
  readonly subresource?: string;
}

/** How controllers write: through the whole server, like every client. */
export interface ControllerClient {
  create(object: JsonObject, options?: Target): Promise<KubeObject>;
  update(object: JsonObject, options?: Target): Promise<KubeObject>;
  patch(
    apiVersion: string,
    kind: string,
    name: string,
    patch: JsonValue,
    options?: Target,
  ): Promise<KubeObject>;
  deleteCollection(
    apiVersion: string,
    kind: string,
    options: { readonly namespace: string; readonly propagationPolicy: "Background" },
  ): Promise<JsonObject>;
  delete(
    apiVersion: string,
    kind: string,
    name: string,
    options?: Target & {
      readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
      readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
    },
  ): Promise<JsonObject>;
}
