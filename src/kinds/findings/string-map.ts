import { objectAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** A map of texts to texts, as decoding has made sure it is; empty when it is not set. */
export function stringsAt(
  object: JsonObject,
  ...path: readonly string[]
): { readonly [key: string]: string } {
  // The schema of such a field admits nothing but texts.
  return (objectAt(object, ...path) ?? {}) as { readonly [key: string]: string };
}
