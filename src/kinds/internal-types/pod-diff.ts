import { goDiff } from "../../apimachinery/go/go-diff.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { internalShape } from "../../schema/internal-shape.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import { specOf, structOf } from "./spec-schema.ts";

/** The diff of two pod specs in the format of go-cmp; `schema` is that of Pod. */
export function podSpecDiff(schema: KindSchema, old: JsonObject, now: JsonObject): string {
  return goDiff(internalShape(specOf(schema)), old, now);
}

/** The diff of two lists of ephemeral containers in the format of go-cmp; `schema` is that of Pod. */
export function ephemeralContainerDiff(schema: KindSchema, old: JsonObject, now: JsonObject): string {
  return goDiff(internalShape(structOf(specOf(schema), "ephemeralContainers")), old, now);
}
