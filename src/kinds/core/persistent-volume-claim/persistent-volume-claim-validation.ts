import { fieldForbidden, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity, type Quantity } from "../../../apimachinery/quantity.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import { claimSpecDiff } from "../../internal-types/persistent-volume-diff.ts";
import { amountsAt } from "../../quantities/amounts.ts";
import { isNativeResource } from "../../quantities/resource-names.ts";
import { addQuantity } from "../../quantities/resources.ts";
import { BETA_STORAGE_CLASS_ANNOTATION } from "../persistent-volume/storage-class-name.ts";

const storagePath = "spec.resources.requests.storage";
const attributesClass = "spec.volumeAttributesClassName";
const zero = parseQuantity("0");

/**
 * Validates an update. A bound claim can change only its size and its attributes class. Upstream:
 * pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimUpdate.
 */
export function addClaimUpdateErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  facts: StrategyFacts,
): void {
  const { gates } = facts;
  const [spec, before] = [structAt(object, "spec"), structAt(old, "spec")];
  addBetaClassErrors(errors, object, old);
  addSpecChangeErrors(errors, object, old, facts);
  addShrinkErrors(errors, spec, old, hasRecovery(gates, old));
  if (spec["volumeMode"] !== before["volumeMode"]) {
    errors.push(fieldInvalid("volumeMode", spec["volumeMode"], "field is immutable"));
  }
  addAttributesClassErrors(errors, spec, before, gates.isEnabled("VolumeAttributesClass"));
}

function betaClassOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[BETA_STORAGE_CLASS_ANNOTATION];
}

/** Whether the class of the beta annotation moves to the field. */
function movesClassToField(object: KubeObject, old: KubeObject): boolean {
  const [before, after] = [betaClassOf(old), betaClassOf(object)];
  const name = structAt(object, "spec")["storageClassName"];
  const isNew = structAt(old, "spec")["storageClassName"] === undefined;
  return before !== undefined && isNew && name === before && (after === undefined || after === before);
}

function addBetaClassErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  const [before = "", after = ""] = [betaClassOf(old), betaClassOf(object)];
  if (before === after || movesClassToField(object, old)) return;
  errors.push(
    fieldInvalid(child("metadata.annotations", BETA_STORAGE_CLASS_ANNOTATION), after, "field is immutable"),
  );
}

function addSpecChangeErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  { schema, gates }: StrategyFacts,
): void {
  const before: MutableJsonObject = { ...structAt(old, "spec") };
  const spec = withPermittedChanges(object, old, gates);
  if (!before["volumeName"] && spec["volumeName"] !== undefined) before["volumeName"] = spec["volumeName"];
  if (jsonEqual(spec, before)) return;
  const what = gates.since("1.29")
    ? "resources.requests and volumeAttributesClassName"
    : "resources.requests";
  const rule = `spec is immutable after creation except ${what} for bound claims`;
  const diff = claimSpecDiff(schema, before, spec);
  errors.push(fieldForbidden("spec", (since, goTypes) => `${rule}\n${diff(since, goTypes)}`));
}

/** The spec with the permitted changes undone. */
function withPermittedChanges(object: KubeObject, old: KubeObject, gates: FeatureGates): JsonObject {
  const before = structAt(old, "spec");
  const spec: MutableJsonObject = { ...structAt(object, "spec") };
  const keep = (field: string) => {
    if (before[field] === undefined) delete spec[field];
    else spec[field] = before[field];
  };
  const mayGetClass = gates.isEnabled("RetroactiveDefaultStorageClass") && setsFirstClass(object, old);
  if (mayGetClass || movesClassToField(object, old)) keep("storageClassName");
  keep("volumeAttributesClassName");
  const requests = objectAt(spec, "resources", "requests");
  const storage = textAt(before, "resources", "requests", "storage");
  if (textAt(object, "status", "phase") === "Bound" && requests !== undefined && storage !== "") {
    spec["resources"] = { ...structAt(spec, "resources"), requests: { ...requests, storage } };
  }
  return spec;
}

/** Whether an update sets the class of a claim that has none, and does not contradict the beta annotation. */
function setsFirstClass(object: KubeObject, old: KubeObject): boolean {
  const name = structAt(object, "spec")["storageClassName"];
  if (name === undefined || structAt(old, "spec")["storageClassName"] !== undefined) return false;
  const annotated = betaClassOf(old);
  return annotated === undefined || annotated === name;
}

/** Whether a failed expansion can be recovered. A claim that already recovers can continue. */
function hasRecovery(gates: FeatureGates, old: KubeObject): boolean {
  if (gates.isEnabled("RecoverVolumeExpansionFailure")) return true;
  const status = structAt(old, "status");
  return status["allocatedResources"] !== undefined || status["allocatedResourceStatuses"] !== undefined;
}

/** The request can shrink if recovery is possible and it stays above the capacity. */
function addShrinkErrors(errors: Findings, spec: JsonObject, old: KubeObject, isRecoverable: boolean): void {
  const size = amountAt(spec, "resources", "requests", "storage");
  if (size.compare(amountAt(old, "spec", "resources", "requests", "storage")) >= 0) return;
  if (!isRecoverable) {
    errors.push(fieldForbidden(storagePath, "field can not be less than previous value"));
    return;
  }
  if (size.compare(amountAt(old, "status", "capacity", "storage")) > 0) return;
  errors.push(fieldForbidden(storagePath, "field can not be less than status.capacity"));
}

function amountAt(object: JsonObject, ...path: readonly string[]): Quantity {
  const text = textAt(object, ...path);
  return text === "" ? zero : parseQuantity(text);
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
  const detail = "update is forbidden when the VolumeAttributesClass feature gate is disabled";
  if (!isKnown) errors.push(fieldForbidden(attributesClass, detail));
  if (old === undefined || name) return;
  const what = name === undefined ? "nil" : "an empty string";
  errors.push(fieldForbidden(attributesClass, `update from non-nil value to ${what} is forbidden`));
}

const resizeStates = [
  "ControllerResizeFailed",
  "ControllerResizeInProgress",
  "NodeResizeFailed",
  "NodeResizeInProgress",
  "NodeResizePending",
];

/**
 * Validates an update of the status. Upstream: pkg/apis/core/validation/validation.go,
 * ValidatePersistentVolumeClaimStatusUpdate.
 */
export function addClaimStatusErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  for (const [name, amount] of amountsAt(object, "status", "capacity")) {
    addNegativeErrors(errors, amount, key("status.capacity", name));
  }
  if (!hasRecovery(gates, old)) return;
  const states = objectAt(object, "status", "allocatedResourceStatuses") ?? {};
  for (const [name, state] of Object.entries(states)) {
    const field = "status.allocatedResourceStatus";
    addResourceKeyErrors(errors, name, field);
    if (!resizeStates.includes(String(state))) errors.push(fieldNotSupported(field, name, resizeStates));
  }
  for (const [name, amount] of amountsAt(object, "status", "allocatedResources")) {
    addAllocationErrors(errors, name, amount);
  }
}

function addAllocationErrors(errors: Findings, name: string, amount: Quantity): void {
  const field = "status.allocatedResources";
  const before = errors.length;
  addResourceKeyErrors(errors, name, field);
  if (errors.length > before) return;
  addNegativeErrors(errors, amount, key(field, name));
  if (errors.length === before) addQuantity(errors, "storage", amount, key(field, name));
}

function addNegativeErrors(errors: Findings, amount: Quantity, field: string): void {
  const whole = amount.scaledValue(0);
  if (whole < 0) errors.push(fieldInvalid(field, whole, "must be a valid resource quantity"));
}

function addResourceKeyErrors(errors: Findings, name: string, field: string): void {
  const messages = qualifiedNameMessages(name);
  if (messages.length > 0) {
    addInvalid(errors, field, name, messages);
    return;
  }
  if (!isNativeResource(name) || name === "storage") return;
  errors.push(fieldNotSupported(field, name, ["storage"]));
}
