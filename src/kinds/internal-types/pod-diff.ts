import { objectAt } from "../../apimachinery/fields.ts";
import { goDiff } from "../../apimachinery/go/go-diff.ts";
import type { GoStruct, GoStructField } from "../../apimachinery/go/go-shape.ts";
import { goShapeJson } from "../../apimachinery/go/go-shape-json.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { fieldShape, fieldsOf, internalShape, specOf, structOf, structShape } from "./internal-shape.ts";

/** What the internal type keeps in the security context of the pod. */
const hostFields = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

const shapes = new WeakMap<StructSchema, GoStruct>();

/** How two specs of a pod differ, in the manner of Go; `schema` is that of Pod. */
export function podSpecDiff(schema: StructSchema, old: JsonObject, now: JsonObject): string {
  return goDiff(podSpecShape(specOf(schema)), withHostFields(old), withHostFields(now));
}

/** The spec of a pod as Go's `json.Marshal` writes upstream's internal type; `schema` is that of PodSpec. */
export function podSpecJson(schema: StructSchema, spec: JsonObject): string {
  return goShapeJson(podSpecShape(schema), withHostFields(spec));
}

/** How two ephemeral containers differ, in the manner of Go; `schema` is that of Pod. */
export function ephemeralContainerDiff(schema: StructSchema, old: JsonObject, now: JsonObject): string {
  return goDiff(internalShape(structOf(specOf(schema), "ephemeralContainers")), old, now);
}

function podSpecShape(spec: StructSchema): GoStruct {
  let shape = shapes.get(spec);
  if (shape === undefined) {
    shape = madePodSpecShape(spec);
    shapes.set(spec, shape);
  }
  return shape;
}

function madePodSpecShape(spec: StructSchema): GoStruct {
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
