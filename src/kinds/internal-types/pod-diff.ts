import { objectAt } from "../../apimachinery/fields.ts";
import { goDiff } from "../../apimachinery/go/go-diff.ts";
import type { GoStruct, GoStructField } from "../../apimachinery/go/go-shape.ts";
import { goShapeJson } from "../../apimachinery/go/go-shape-json.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import { fieldShape, fieldsOf, internalShape, specOf, structOf, structShape } from "./internal-shape.ts";

/** Fields that the internal type has in the security context of the pod. */
const hostFields = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/** The diff of two pod specs in the format of go-cmp; `schema` is that of Pod. */
export function podSpecDiff(schema: KindSchema, old: JsonObject, now: JsonObject): string {
  return goDiff(specOf(schema).compiled(podSpecShape), withHostFields(old), withHostFields(now));
}

/** A pod spec as Go's `json.Marshal` writes the internal type; `schema` is that of PodSpec. */
export function podSpecJson(schema: StructSchema, spec: JsonObject): string {
  return goShapeJson(schema.compiled(podSpecShape), withHostFields(spec));
}

/** The diff of two lists of ephemeral containers in the format of go-cmp; `schema` is that of Pod. */
export function ephemeralContainerDiff(schema: KindSchema, old: JsonObject, now: JsonObject): string {
  return goDiff(internalShape(structOf(specOf(schema), "ephemeralContainers")), old, now);
}

function podSpecShape(spec: StructSchema): GoStruct {
  const context = structShape("core.PodSecurityContext", () => [
    ...spec.fields.filter(({ name }) => hostFields.includes(name)).map(fieldShape),
    ...fieldsOf(structOf(spec, "securityContext")),
  ]);
  const withContext = (field: GoStructField): GoStructField =>
    field.name === "SecurityContext" ? { ...field, shape: { kind: "pointer", to: context } } : field;
  return structShape("core.PodSpec", () => fieldsOf(spec).map(withContext));
}

function withHostFields(spec: JsonObject): JsonObject {
  const host = hostFields.filter((name) => spec[name] !== undefined);
  if (host.length === 0) return spec;
  const values = Object.fromEntries(host.map((name) => [name, spec[name] ?? null]));
  return { ...spec, securityContext: { ...values, ...objectAt(spec, "securityContext") } };
}
