import type { TypedWording } from "../../apimachinery/errors/field.ts";
import { goDiff } from "../../apimachinery/go/go-diff.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { internalShape } from "../../schema/internal-shape.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import { specOf, structOf } from "./spec-schema.ts";

/**
 * The diff of two pod specs in the format of go-cmp: the old one as it is stored, the new one as it was sent. `schema`
 * is that of Pod.
 */
export function podSpecDiff(schema: KindSchema, old: JsonObject, now: JsonObject): TypedWording {
  const shape = internalShape(specOf(schema));
  return (_since, goTypes) => goDiff({ old: shape, now: goTypes(shape.type) }, old, now);
}

/** The diff of two ephemeral containers in the format of go-cmp, as `podSpecDiff` shows it; `schema` is that of Pod. */
export function ephemeralContainerDiff(schema: KindSchema, old: JsonObject, now: JsonObject): TypedWording {
  const shape = internalShape(structOf(specOf(schema), "ephemeralContainers"));
  return (_since, goTypes) => goDiff({ old: shape, now: goTypes(shape.type) }, old, now);
}
