import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** A change of an object: its new state, or its last one. */
export interface ObjectChange {
  readonly type: "put" | "delete";
  readonly object: KubeObject;
  /** The object existed when the controllers started, so the time of this change is not known. */
  readonly isFound: boolean;
}

/** A control loop. */
export interface Controller {
  /** The name in kube-controller-manager. */
  readonly name: string;
  /** The queues of kube-apiserver that a key of this controller enters. Without them, the controller is of another program. */
  readonly queuesOf?: (key: string) => readonly string[];
  /** The kinds of the objects that it observes, in every group. Without them, it observes all objects. */
  readonly kinds?: readonly string[];
  /** Observes a change and returns the keys to reconcile. It must not fail, because it is not called again. */
  readonly observe: (change: ObjectChange) => Iterable<string>;
  /** Returns the keys to reconcile because the cluster serves other kinds now. */
  readonly observeApi?: () => Iterable<string>;
  /** Returns the keys to reconcile because the server has another address or authority now. */
  readonly observePublication?: () => Iterable<string>;
  /** Returns the keys to reconcile because a test no longer holds something back. */
  readonly observeRelease?: () => Iterable<string>;
  /**
   * Reconciles one key. May return the milliseconds from the beginning of this call until the next one. After an error, it is
   * called again with increasing delays.
   */
  readonly reconcile: (key: string) => Promise<void> | Promise<number | undefined>;
}

/** The object that a controller writes. */
export interface Target {
  readonly namespace?: string;
  readonly subresource?: string;
}

/** Writes as every client does, through the whole server. */
export interface ControllerClient {
  create(object: JsonObject, options?: Target): Promise<KubeObject>;
  update(object: JsonObject, options?: Target): Promise<KubeObject>;
  patch(
    apiVersion: string,
    kind: string,
    name: string,
    patch: JsonValue,
    options?: Target & { readonly type?: "json" | "merge" | "strategic" },
  ): Promise<KubeObject>;
  apply(
    object: JsonObject,
    options: Target & { readonly fieldManager: string; readonly force: true },
  ): Promise<unknown>;
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
      readonly gracePeriodSeconds?: number;
      readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
      readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
    },
  ): Promise<JsonObject>;
}
