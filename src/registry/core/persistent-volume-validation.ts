import { type FieldError, fieldForbidden, fieldInvalid } from "../../apimachinery/field.ts";
import { objectAt } from "../../apimachinery/fields.ts";
import { goPointer, goStruct, typedValue } from "../../apimachinery/go-type.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../apimachinery/json.ts";
import { type KubeObject, section } from "../../apimachinery/object-meta.ts";
import type { StructSchema } from "../../schema/structural-schema.ts";
import { volumeSourceDiff } from "./persistent-volume-diff.ts";
import { volumeSourceNames } from "./persistent-volume-sources.ts";
import { volumeSpecErrors } from "./persistent-volume-spec-validation.ts";

const attributesClass = "spec.volumeAttributesClassName";
const goAffinity = goStruct("core.VolumeNodeAffinity", [
  ["Required", "required", goPointer("core.NodeSelector")],
]);
const newTopologyLabels: ReadonlyMap<string, string> = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
]);

/** What is wrong with a volume. */
export function volumeErrors(object: KubeObject): FieldError[] {
  const name = object.metadata.name ?? "";
  return volumeSpecErrors(section(object, "spec"), "spec", { name, isInline: false });
}

/** What of a volume has changed that must not. Upstream leaves `spec` out of some paths. */
export function volumeUpdateErrors(object: KubeObject, old: KubeObject, schema: StructSchema): FieldError[] {
  const [spec, before] = [section(object, "spec"), section(old, "spec")];
  return [
    ...sourceChangeErrors(spec, before, schema),
    ...modeErrors(spec, before),
    ...affinityErrors(spec, before),
    ...attributesClassErrors(spec, before),
  ];
}

function sourceChangeErrors(spec: JsonObject, before: JsonObject, schema: StructSchema): FieldError[] {
  const [source, old] = [sourceOf(spec), sourceOf(before)];
  if (jsonEqual(withLateSecret(source, old), old)) return [];
  const diff = volumeSourceDiff(schema, old, source);
  const detail = `spec.persistentvolumesource is immutable after creation\n${diff}`;
  return [fieldForbidden("spec.persistentvolumesource", detail)];
}

function sourceOf(spec: JsonObject): JsonObject {
  const source: MutableJsonObject = {};
  for (const name of volumeSourceNames) if (spec[name] !== undefined) source[name] = spec[name];
  return source;
}

/** The secret for growing a CSI volume may be set later. */
function withLateSecret(source: JsonObject, old: JsonObject): JsonObject {
  const csi = objectAt(source, "csi");
  if (csi === undefined || objectAt(old, "csi", "controllerExpandSecretRef") !== undefined) return source;
  const rest: MutableJsonObject = { ...csi };
  delete rest["controllerExpandSecretRef"];
  return { ...source, csi: rest };
}

function modeErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  if (spec["volumeMode"] === before["volumeMode"]) return [];
  return [fieldInvalid("volumeMode", spec["volumeMode"], "field is immutable")];
}

function affinityErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [affinity, old] = [spec["nodeAffinity"], before["nodeAffinity"]];
  if (old === undefined || jsonEqual(affinity, old) || jsonEqual(affinity, withNewLabels(old))) return [];
  return [fieldInvalid("nodeAffinity", typedValue(goAffinity, affinity), "field is immutable")];
}

/** Labels of nodes may be replaced by those that have taken their place. */
function withNewLabels(value: JsonObject[string]): JsonObject[string] {
  if (typeof value === "string") return newTopologyLabels.get(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withNewLabels);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === "values" ? inner : withNewLabels(inner)]),
  );
}

function attributesClassErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [name, old] = [spec["volumeAttributesClassName"], before["volumeAttributesClassName"]];
  if (name === old) return [];
  const detail = "update is forbidden when the VolumeAttributesClass feature gate is disabled";
  const errors = [fieldForbidden(attributesClass, detail)];
  if (old !== undefined && name === undefined) {
    errors.push(fieldForbidden(attributesClass, "update from non-nil value to nil is forbidden"));
  }
  return errors;
}
