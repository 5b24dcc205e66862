import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import { addAll, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { nodeTermWarnings } from "../../pod-spec/warnings/node-label-warnings.ts";
import {
  addMountOptionErrors,
  addVolumeErrors,
  addVolumeUpdateErrors,
} from "./persistent-volume-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };
const attributesClass = "volumeAttributesClassName";

/** The strategy of volumes. Upstream: pkg/registry/core/persistentvolume/strategy.go. */
export function persistentVolumeStrategy(base: Strategy, facts: StrategyFacts): Strategy {
  const { gates } = facts;
  const hasClasses = gates.isEnabled("VolumeAttributesClass");
  const notesPhases = gates.isEnabled("PersistentVolumeLastPhaseTransitionTime");
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object, { now }) => {
      const since = notesPhases && { lastPhaseTransitionTime: formatTime(now) };
      object["status"] = { phase: "Pending", ...since };
      if (!hasClasses) dropAttributesClass(object, undefined);
    },
    validate: (errors, object) => {
      addVolumeErrors(errors, object, undefined, gates);
      addMountOptionErrors(errors, object);
    },
    warningsOnCreate: volumeWarnings,
    prepareForUpdate: (object, old, context) => {
      base.prepareForUpdate(object, old, context);
      if (!hasClasses) dropAttributesClass(object, old);
    },
    validateUpdate: (errors, object, old) => {
      const once: Findings = [];
      addMetadataErrors(once, object, metadataRules);
      addVolumeErrors(once, object, old, gates);
      // Upstream validates the whole volume twice, and does not validate the update of the metadata.
      addAll(errors, once);
      addMountOptionErrors(errors, object);
      addAll(errors, once);
      addVolumeUpdateErrors(errors, object, old, facts);
    },
    warningsOnUpdate: volumeWarnings,
  };
  return withGatedFields(strategy, gates, [
    gatedField("BlockVolume", "spec", "volumeMode"),
    gatedField("ExpandCSIVolumes", "spec", "csi", "controllerExpandSecretRef"),
    gatedField("CSINodeExpandSecret", "spec", "csi", "nodeExpandSecretRef"),
  ]);
}

/** The strategy of `/status`. It sets the transition time when the phase changes, unless the client does. */
export function persistentVolumeStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusStrategy(base);
  if (!gates.isEnabled("PersistentVolumeLastPhaseTransitionTime")) return status;
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      const [next, before] = [structAt(object, "status"), structAt(old, "status")];
      const { lastPhaseTransitionTime: since, phase } = next;
      const changed = phase !== before["phase"];
      const isGiven = since !== undefined && !(changed && since === before["lastPhaseTransitionTime"]);
      if (isGiven) return;
      const lastPhaseTransitionTime = changed ? formatTime(context.now) : before["lastPhaseTransitionTime"];
      object["status"] = {
        ...next,
        ...(lastPhaseTransitionTime !== undefined && { lastPhaseTransitionTime }),
      };
    },
  };
}

/** Drops the attributes class if its feature is disabled, unless the stored volume has one. */
function dropAttributesClass(object: MutableKubeObject, old: KubeObject | undefined): void {
  const spec = structAt(object, "spec");
  if (spec[attributesClass] === undefined) return;
  if (old !== undefined && structAt(old, "spec")[attributesClass] !== undefined) return;
  const rest: MutableJsonObject = { ...spec };
  delete rest[attributesClass];
  object["spec"] = rest;
}

const deprecatedAnnotations = new Map([
  [
    "volume.beta.kubernetes.io/storage-class",
    'deprecated since v1.8; use "storageClassName" attribute instead',
  ],
  ["volume.beta.kubernetes.io/mount-options", 'deprecated since v1.31; use "mountOptions" attribute instead'],
]);

/** The deprecated sources, by the names in upstream's warnings. */
const deprecatedSources = new Map([
  ["cephfs", "spec.cephfs: deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "spec.scaleIO: deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "spec.storageOS: deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "spec.glusterfs: deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "spec.rbd: deprecated in v1.28, non-functional in v1.31+"],
]);

function volumeWarnings(object: KubeObject): readonly string[] {
  const spec = structAt(object, "spec");
  const warnings: string[] = [];
  for (const [name, warning] of deprecatedAnnotations) {
    if (object.metadata.annotations?.[name] === undefined) continue;
    warnings.push(`${key("metadata.annotations", name)}: ${warning}`);
  }
  if (textAt(spec, "persistentVolumeReclaimPolicy") === "Recycle") {
    warnings.push(
      "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
    );
  }
  const terms = child("spec", "nodeAffinity", "required", "nodeSelectorTerms");
  for (const [i, term] of listAt(spec, "nodeAffinity", "required", "nodeSelectorTerms").entries()) {
    warnings.push(...nodeTermWarnings(term, index(terms, i), "unchecked"));
  }
  for (const [name, warning] of deprecatedSources) {
    if (objectAt(spec, name) !== undefined) warnings.push(warning);
  }
  return warnings;
}
