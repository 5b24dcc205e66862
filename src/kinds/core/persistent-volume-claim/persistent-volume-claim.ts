import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { isValidLabelSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import { addAll, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { allowsOncePodMode } from "../../pod-spec/validation/access-modes.ts";
import {
  addClaimSpecErrors,
  type ClaimLeniency,
  strictClaims,
} from "../../pod-spec/validation/claim-spec-validation.ts";
import { claimSpecWarnings } from "../../pod-spec/warnings/claim-spec-warnings.ts";
import { BETA_STORAGE_CLASS_ANNOTATION } from "../persistent-volume/storage-class-name.ts";
import { addClaimStatusErrors, addClaimUpdateErrors } from "./persistent-volume-claim-validation.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

/** The strategy of claims. Upstream: pkg/registry/core/persistentvolumeclaim/strategy.go. */
export function persistentVolumeClaimStrategy(base: Strategy, facts: StrategyFacts): Strategy {
  const { gates } = facts;
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object) => {
      object["status"] = { phase: "Pending" };
      prepareSpec(object, undefined, gates);
    },
    validate: (errors, object) =>
      addClaimSpecErrors(errors, structAt(object, "spec"), "spec", strictClaims(gates)),
    warningsOnCreate: claimWarnings,
    prepareForUpdate: (object, old, context) => {
      base.prepareForUpdate(object, old, context);
      prepareSpec(object, old, gates);
    },
    validateUpdate: (errors, object, old) => {
      const once: Findings = [];
      addMetadataErrors(once, object, metadataRules);
      addClaimSpecErrors(once, structAt(object, "spec"), "spec", leniencyOf(structAt(old, "spec"), gates));
      // Upstream validates the whole claim twice.
      addAll(errors, once);
      addMetadataUpdateErrors(errors, object, old);
      addAll(errors, once);
      addClaimUpdateErrors(errors, object, old, facts);
    },
    warningsOnUpdate: claimWarnings,
  };
}

/** The strategy of `/status`. */
export function persistentVolumeClaimStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      dropDisabledStatus(object, old, gates);
    },
    validateUpdate: (errors, object, old) => addClaimStatusErrors(errors, object, old, gates),
  };
}

/** The errors that an update ignores because the stored claim has them already. */
function leniencyOf(old: JsonObject, gates: FeatureGates): ClaimLeniency {
  return {
    allowsInvalidSelectorValues: !isValidLabelSelector(old["selector"]),
    allowsInvalidGroups: ["dataSource", "dataSourceRef"].some(
      (name) => objectAt(old, name)?.["apiGroup"] !== undefined,
    ),
    allowsOncePod: allowsOncePodMode(gates, old),
  };
}

/**
 * Drops fields of disabled features, unless the stored claim has them, and copies `dataSource` and `dataSourceRef` to
 * each other.
 */
function prepareSpec(object: MutableKubeObject, old: KubeObject | undefined, gates: FeatureGates): void {
  const before = old && structAt(old, "spec");
  const spec: MutableJsonObject = { ...structAt(object, "spec") };
  const isNew = (name: string) => before?.[name] === undefined;
  for (const [field, gate] of specFieldGates) {
    if (!gates.isEnabled(gate) && isNew(field)) delete spec[field];
  }
  const hasRefs = gates.isEnabled("AnyVolumeDataSource");
  if (isNew("dataSourceRef")) {
    const isElsewhere = textAt(spec, "dataSourceRef", "namespace") !== "";
    const isAllowed = !isElsewhere || gates.isEnabled("CrossNamespaceVolumeDataSource");
    if (!hasRefs || !isAllowed) delete spec["dataSourceRef"];
    if (isNew("dataSource")) dropDisabledSource(spec, gates);
  }
  if (hasRefs) mirrorSources(spec);
  object["spec"] = spec;
}

const specFieldGates: readonly (readonly [field: string, gate: string])[] = [
  ["volumeAttributesClassName", "VolumeAttributesClass"],
  ["volumeMode", "BlockVolume"],
];

const statusFieldGates: readonly (readonly [field: string, gate: string])[] = [
  ["currentVolumeAttributesClassName", "VolumeAttributesClass"],
  ["modifyVolumeStatus", "VolumeAttributesClass"],
  ["allocatedResources", "RecoverVolumeExpansionFailure"],
  ["allocatedResourceStatuses", "RecoverVolumeExpansionFailure"],
  ["conditions", "ExpandPersistentVolumes"],
];

function dropDisabledStatus(object: MutableKubeObject, old: KubeObject, gates: FeatureGates): void {
  const before = structAt(old, "status");
  const status: MutableJsonObject = { ...structAt(object, "status") };
  for (const [field, gate] of statusFieldGates) {
    if (!gates.isEnabled(gate) && before[field] === undefined) delete status[field];
  }
  object["status"] = status;
}

/** Before `dataSourceRef` existed, a `dataSource` whose kind is unknown, or whose gate is off, was dropped silently. */
function dropDisabledSource(spec: MutableJsonObject, gates: FeatureGates): void {
  const source = objectAt(spec, "dataSource");
  if (source === undefined || spec["dataSourceRef"] !== undefined) return;
  const kind = `${textAt(source, "apiGroup")}/${textAt(source, "kind")}`;
  const gate = gatesOfSources.get(kind);
  if (gate !== undefined && gates.isEnabled(gate)) return;
  delete spec["dataSource"];
}

const gatesOfSources: ReadonlyMap<string, string> = new Map([
  ["/PersistentVolumeClaim", "VolumePVCDataSource"],
  ["snapshot.storage.k8s.io/VolumeSnapshot", "VolumeSnapshotDataSource"],
]);

function mirrorSources(spec: MutableJsonObject): void {
  const source = objectAt(spec, "dataSource");
  const ref = objectAt(spec, "dataSourceRef");
  if (source !== undefined && ref === undefined) spec["dataSourceRef"] = reference(source);
  else if (ref !== undefined && source === undefined && !textAt(ref, "namespace")) {
    spec["dataSource"] = reference(ref);
  }
}

function reference({ apiGroup, kind = "", name = "" }: JsonObject): JsonObject {
  return { ...(apiGroup !== undefined && { apiGroup }), kind, name };
}

function claimWarnings(object: KubeObject): readonly string[] {
  const warnings = claimSpecWarnings(structAt(object, "spec"), "spec");
  if (object.metadata.annotations?.[BETA_STORAGE_CLASS_ANNOTATION] === undefined) return warnings;
  const field = key("metadata.annotations", BETA_STORAGE_CLASS_ANNOTATION);
  return [`${field}: deprecated since v1.8; use "storageClassName" attribute instead`, ...warnings];
}
