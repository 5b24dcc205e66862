import { fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import { volumeSourceDiff } from "../../internal-types/persistent-volume-diff.ts";
import { allowsOncePodMode } from "../../pod-spec/validation/access-modes.ts";
import { volumeSourceNames } from "./persistent-volume-sources.ts";
import { addVolumeSpecErrors } from "./persistent-volume-spec-validation.ts";

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
export function addVolumeErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
): void {
  const name = object.metadata.name ?? "";
  addVolumeSpecErrors(errors, structAt(object, "spec"), "spec", {
    name,
    isInline: false,
    allowsOncePod: allowsOncePodMode(gates, old && structAt(old, "spec")),
  });
}

/** Rejects the mount options annotation on volumes without support for it. */
export function addMountOptionErrors(errors: Findings, object: KubeObject): void {
  const spec = structAt(object, "spec");
  if (object.metadata.annotations?.[mountOptions] === undefined) return;
  if (mountableSources.some((name) => spec[name] !== undefined)) return;
  const field = child("metadata.annotations", mountOptions);
  errors.push(fieldForbidden(field, "may not specify mount options for this volume type"));
}

/** Validates the changes to a volume. Upstream leaves `spec` out of some paths. */
export function addVolumeUpdateErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  { schema, gates }: StrategyFacts,
): void {
  const [spec, before] = [structAt(object, "spec"), structAt(old, "spec")];
  addSourceChangeErrors(errors, spec, before, schema);
  addModeErrors(errors, spec, before);
  if (!gates.isEnabled("MutablePVNodeAffinity")) addAffinityErrors(errors, spec, before);
  addAttributesClassErrors(errors, spec, before, gates.isEnabled("VolumeAttributesClass"));
}

function addSourceChangeErrors(
  errors: Findings,
  spec: JsonObject,
  before: JsonObject,
  schema: StrategyFacts["schema"],
): void {
  const [source, old] = [sourceOf(spec), sourceOf(before)];
  if (jsonEqual(withAddedSecret(source, old), old)) return;
  const diff = volumeSourceDiff(schema, old, source);
  const detail = `spec.persistentvolumesource is immutable after creation\n${diff}`;
  errors.push(fieldForbidden("spec.persistentvolumesource", detail));
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

function addModeErrors(errors: Findings, spec: JsonObject, before: JsonObject): void {
  if (spec["volumeMode"] === before["volumeMode"]) return;
  errors.push(fieldInvalid("volumeMode", spec["volumeMode"], "field is immutable"));
}

function addAffinityErrors(errors: Findings, spec: JsonObject, before: JsonObject): void {
  const [affinity, old] = [objectAt(spec, "nodeAffinity"), objectAt(before, "nodeAffinity")];
  if (old === undefined) return;
  if (affinity !== undefined && jsonEqual(affinity, withStableLabels(old, affinity))) return;
  const detail = "field is immutable, except for updating from beta label to GA";
  errors.push(fieldInvalid("nodeAffinity", typedValue("core.VolumeNodeAffinity", affinity), detail));
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
function addAttributesClassErrors(
  errors: Findings,
  spec: JsonObject,
  before: JsonObject,
  isKnown: boolean,
): void {
  const [name, old] = [spec["volumeAttributesClassName"], before["volumeAttributesClassName"]];
  if (name === old) return;
  if (!isKnown) {
    errors.push(
      fieldForbidden(
        attributesClass,
        "update is forbidden when the VolumeAttributesClass feature gate is disabled",
      ),
    );
  }
  if (old === undefined || name !== undefined) return;
  errors.push(fieldForbidden(attributesClass, "update from non-nil value to nil is forbidden"));
}
