import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApplyKind } from "./apply-kind.ts";

/** What apply has to know of the versions of a kind. */
export interface Versions {
  /** The kind in a version; undefined for one that is served no longer. */
  readonly kindOf: (apiVersion: string) => ApplyKind | undefined;
  /** An object of the kind in another version; undefined if it cannot be had in it. */
  readonly convert: (object: JsonObject, apiVersion: string) => JsonObject | undefined;
}

/** The object in a version; itself if it is in it. */
export function inVersion(
  versions: Versions,
  object: JsonObject,
  apiVersion: string,
): JsonObject | undefined {
  return object.apiVersion === apiVersion ? object : versions.convert(object, apiVersion);
}

/** The kind in a version that is known to be served. */
export function servedKind(versions: Versions, apiVersion: string): ApplyKind {
  const kind = versions.kindOf(apiVersion);
  if (kind === undefined) throw new Error(`the kind is not served in ${apiVersion}`);
  return kind;
}
