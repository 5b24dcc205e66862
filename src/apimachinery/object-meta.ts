import type { JsonObject, JsonValue, MutableJsonObject } from "./json.ts";

/** A reference to the object that owns this one. */
export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The metadata of an object. An empty field is absent. */
export interface ObjectMeta extends JsonObject {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string | null;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** An API object of any kind. */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Metadata that can be changed. */
export type MutableObjectMeta = MutableJsonObject & Writable<ObjectMeta>;

/** An object that can be changed: the result of decoding, before it is stored and frozen. */
export interface MutableKubeObject extends MutableJsonObject {
  apiVersion: string;
  kind: string;
  metadata: MutableObjectMeta;
  [key: string]: JsonValue;
}
