import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApplyKind } from "./apply-kind.ts";

/** What apply needs to know about the versions of a kind. */
export interface Versions {
  /** The kind in a version; undefined if the version is no longer served. */
  readonly kindOf: (apiVersion: string) => ApplyKind | undefined;
  /** Converts an object of the kind to another version; undefined if that is not possible. */
  readonly convert: (object: JsonObject, apiVersion: string) => JsonObject | undefined;
}

/** The object in a version, or the object itself if it is in that version. */
export function inVersion(
  versions: Versions,
  object: JsonObject,
  apiVersion: string,
): JsonObject | undefined {
  return object.apiVersion === apiVersion ? object : versions.convert(object, apiVersion);
}

/** The kind in a version that must be served. */
export function servedKind(versions: Versions, apiVersion: string): ApplyKind {
  const kind = versions.kindOf(apiVersion);
  if (kind === undefined) throw new Error(`the kind is not served in ${apiVersion}`);
  return kind;
}
