import type { TypedWording } from "../../apimachinery/errors/field.ts";
import { goDiff } from "../../apimachinery/go/go-diff.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { internalShape } from "../../schema/internal-shape.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import { specOf } from "./spec-schema.ts";

/** The diff of the source of a volume in the format of go-cmp; `schema` is that of PersistentVolume. */
export function volumeSourceDiff(schema: KindSchema, old: JsonObject, now: JsonObject): string {
  const fields = internalShape(specOf(schema)).fields();
  const source = fields.find(({ name }) => name === "PersistentVolumeSource");
  return source === undefined ? "" : goDiff({ old: source.shape, now: source.shape }, old, now);
}

/**
 * The diff of the spec of a claim in the format of go-cmp: the old one as it is stored, the new one as it was sent.
 * `schema` is that of PersistentVolumeClaim.
 */
export function claimSpecDiff(schema: KindSchema, old: JsonObject, now: JsonObject): TypedWording {
  const shape = internalShape(specOf(schema));
  return (_since, goTypes) => goDiff({ old: shape, now: goTypes(shape.type) }, old, now);
}
