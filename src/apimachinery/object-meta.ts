import type { JsonObject, JsonValue } from "./json.ts";

/** A reference to the object that owns this one. */
export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Metadata that every object carries. Absent fields are absent, not empty. */
export interface ObjectMeta {
  readonly [key: string]: JsonValue | undefined;
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

/** An object of the API, of any kind. */
export interface KubeObject {
  readonly [key: string]: JsonValue | ObjectMeta | undefined;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}
