import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { BuiltInKinds } from "../catalog/generated/built-in-kinds.ts";
import type { ObjectOptions } from "./client-options.ts";

/** An apiVersion of built-in kinds. */
export type BuiltInVersion = keyof BuiltInKinds;

/** A built-in kind of an apiVersion. */
export type BuiltInKind<V extends BuiltInVersion> = keyof BuiltInKinds[V] & string;

/** An object of a built-in kind as the server returns it. */
export type BuiltInObject<V extends BuiltInVersion, K extends BuiltInKind<V>> = BuiltInKinds[V][K];

/** A manifest whose type says that it is of a built-in kind. The fields are left to the server, which validates them. */
export interface BuiltInManifest<V extends BuiltInVersion, K extends BuiltInKind<V>> {
  readonly apiVersion: V;
  readonly kind: K;
  readonly [field: string]: unknown;
}

/** Options that select an object itself, or a subresource that is represented by the object. */
export type OfOwnKind<Options extends ObjectOptions> = Omit<Options, "subresource"> & {
  readonly subresource?: "approval" | "ephemeralcontainers" | "finalize" | "resize" | "status";
};

/** What the server returns for a manifest of type `T`. Types that are not JSON, such as classes with dates, stay as they are. */
export type Written<T extends object> = T extends JsonObject ? T & KubeObject : T;

/** The metadata of a list. */
export interface ListMeta extends JsonObject {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** A list as the server returns it, with apiVersion and kind in its items. */
export type KubeList<T = KubeObject> = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ListMeta;
  readonly items: readonly T[];
};
