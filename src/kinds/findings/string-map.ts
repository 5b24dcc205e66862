import { objectAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** The map of strings at a path; empty if it is not set. */
export function stringsAt(
  object: JsonObject,
  ...path: readonly string[]
): { readonly [key: string]: string } {
  // The schema of such a field allows only strings as values.
  return (objectAt(object, ...path) ?? {}) as { readonly [key: string]: string };
}
