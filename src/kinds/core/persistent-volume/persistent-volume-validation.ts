import { type FieldError, fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import { volumeSourceDiff } from "../../internal-types/persistent-volume-diff.ts";
import { volumeSourceNames } from "./persistent-volume-sources.ts";
import { volumeSpecErrors } from "./persistent-volume-spec-validation.ts";

const attributesClass = "spec.volumeAttributesClassName";
const mountOptions = "volume.beta.kubernetes.io/mount-options";
const mountableSources = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];
const stableLabels: ReadonlyMap<string, string> = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["beta.kubernetes.io/os", "kubernetes.io/os"],
  ["beta.kubernetes.io/arch", "kubernetes.io/arch"],
  ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
]);

/** Validates a volume, except for the annotation of mount options. */
export function volumeErrors(object: KubeObject): FieldError[] {
  const name = object.metadata.name ?? "";
  return volumeSpecErrors(structAt(object, "spec"), "spec", { name, isInline: false });
}

/** Rejects the mount options annotation on volumes without support for it. */
export function mountOptionErrors(object: KubeObject): FieldError[] {
  const spec = structAt(object, "spec");
  if (object.metadata.annotations?.[mountOptions] === undefined) return [];
  if (mountableSources.some((name) => spec[name] !== undefined)) return [];
  const field = child("metadata.annotations", mountOptions);
  return [fieldForbidden(field, "may not specify mount options for this volume type")];
}

/** Validates the changes to a volume. Upstream leaves `spec` out of some paths. */
export function volumeUpdateErrors(
  object: KubeObject,
  old: KubeObject,
  { schema, gates }: StrategyFacts,
): FieldError[] {
  const [spec, before] = [structAt(object, "spec"), structAt(old, "spec")];
  return [
    ...sourceChangeErrors(spec, before, schema),
    ...modeErrors(spec, before),
    ...affinityErrors(spec, before),
    ...attributesClassErrors(spec, before, gates.isEnabled("VolumeAttributesClass")),
  ];
}

function sourceChangeErrors(
  spec: JsonObject,
  before: JsonObject,
  schema: StrategyFacts["schema"],
): FieldError[] {
  const [source, old] = [sourceOf(spec), sourceOf(before)];
  if (jsonEqual(withAddedSecret(source, old), old)) return [];
  const diff = volumeSourceDiff(schema, old, source);
  const detail = `spec.persistentvolumesource is immutable after creation\n${diff}`;
  return [fieldForbidden("spec.persistentvolumesource", detail)];
}

function sourceOf(spec: JsonObject): JsonObject {
  const source: MutableJsonObject = {};
  for (const name of volumeSourceNames) if (spec[name] !== undefined) source[name] = spec[name];
  return source;
}

/** The secret for expansion of a CSI volume can be set in an update. */
function withAddedSecret(source: JsonObject, old: JsonObject): JsonObject {
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
  const [affinity, old] = [objectAt(spec, "nodeAffinity"), objectAt(before, "nodeAffinity")];
  if (old === undefined) return [];
  if (affinity !== undefined && jsonEqual(affinity, withStableLabels(old, affinity))) return [];
  const detail = "field is immutable, except for updating from beta label to GA";
  return [fieldInvalid("nodeAffinity", typedValue("core.VolumeNodeAffinity", affinity), detail)];
}

/** The old affinity with deprecated labels replaced by their successors where the new affinity has those. */
function withStableLabels(old: JsonObject, affinity: JsonObject): JsonObject {
  const terms = listAt(affinity, "required", "nodeSelectorTerms");
  const nodeSelectorTerms = listAt(old, "required", "nodeSelectorTerms").map((term, i) => {
    const relabelled: MutableJsonObject = { ...term };
    for (const name of ["matchExpressions", "matchFields"]) {
      if (term[name] === undefined) continue;
      const requirements = listAt(terms[i] ?? {}, name);
      relabelled[name] = listAt(term, name).map((requirement, j) => {
        const key = requirements[j]?.["key"];
        const isStable = key !== undefined && stableLabels.get(textAt(requirement, "key")) === key;
        return isStable ? { ...requirement, key } : requirement;
      });
    }
    return relabelled;
  });
  return { ...old, required: { ...objectAt(old, "required"), nodeSelectorTerms } };
}

/** The attributes class can change if the feature is on, but it cannot be removed. */
function attributesClassErrors(spec: JsonObject, before: JsonObject, isKnown: boolean): FieldError[] {
  const [name, old] = [spec["volumeAttributesClassName"], before["volumeAttributesClassName"]];
  if (name === old) return [];
  const errors = isKnown
    ? []
    : [
        fieldForbidden(
          attributesClass,
          "update is forbidden when the VolumeAttributesClass feature gate is disabled",
        ),
      ];
  if (old === undefined || name !== undefined) return errors;
  return [...errors, fieldForbidden(attributesClass, "update from non-nil value to nil is forbidden")];
}
