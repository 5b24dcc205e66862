import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, ObjectMeta } from "../../apimachinery/object-meta.ts";
import type { ClusterFunctions } from "./template/template-functions.ts";

/** What happens to objects that it selects: a Stage of KWOK, ready to be played. */
export interface Stage {
  readonly name: string;
  /** The objects that it is for. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly selects: (object: KubeObject) => boolean;
  /** Undefined if the object says none. */
  readonly weight: (object: KubeObject) => number | undefined;
  /** Between which times it is played, in milliseconds from `now`. The second one may be before the first, and counts then. */
  readonly delay: (object: KubeObject, now: number) => StageDelay;
  readonly steps: readonly StageStep[];
}

/** A delay, or a range of which one is chosen. */
export interface StageDelay {
  readonly least: number;
  readonly most: number | undefined;
}

/** One request, or an Event. */
export type StageStep =
  | { readonly type: "event"; readonly event: StageEvent }
  | { readonly type: "finalizers"; readonly changed: (finalizers: readonly string[]) => readonly string[] }
  | { readonly type: "delete" }
  | { readonly type: "patch"; readonly patch: StagePatch }
  | { readonly type: "apply"; readonly apply: StageApply };

/** An Event about the object. */
export interface StageEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** A patch of the object. */
export interface StagePatch {
  readonly type: "json" | "merge" | "strategic";
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Whose request it is; undefined for KWOK's. */
  readonly user: string | undefined;
  /** @throws {Error} for a template that fails on this object, or writes what is no patch */
  readonly patchOf: (object: KubeObject, functions: ClusterFunctions) => JsonValue;
}

/** Another object that is created or changed, by server-side apply or by a patch. */
export interface StageApply {
  readonly type: "apply" | "merge" | "strategic";
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Whose request it is; undefined for KWOK's. */
  readonly user: string | undefined;
  /** @throws {Error} for a template that fails on this object, or writes what is no object */
  readonly manifestOf: (object: KubeObject, functions: ClusterFunctions) => StageManifest;
}

/** An object with its name. */
export interface StageManifest extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** The stages in effect. */
export interface StageSet {
  /** Tells sets apart: it is larger after each change. */
  readonly id: number;
  readonly stages: readonly Stage[];
}

/** Stages as YAML or JSON text, or as objects. */
export type StageSource = string | object | readonly (string | object)[];
