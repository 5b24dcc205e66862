import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldLongerThan,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { booleanAt, listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { jsonKey } from "../../../apimachinery/json-key.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { addNodeSelector } from "../../pod-spec/validation/node-selector.ts";
import { addDriverNameErrors } from "../devices/device-name-validation.ts";
import { addAllocatedNameErrors, addModelErrors } from "./named-resources-validation.ts";

const most = 32;
const longestData = 16 * 1024;
const allocationField = "status.allocation";
const reservedField = "status.reservedFor";
const deallocationField = "status.deallocationRequested";

/** Validates the status of a claim that names a class, until 1.30. Upstream: ValidateClaimStatusUpdate of 1.27. */
export function addClassClaimStatusErrors(errors: Findings, claim: KubeObject, old: KubeObject): void {
  const status = structAt(claim, "status");
  const before = structAt(old, "status");
  const allocation = objectAt(status, "allocation");
  const driver = textAt(status, "driverName");
  if (driver !== "") addDriverNameErrors(errors, driver, "status.driverName");
  else if (allocation !== undefined)
    errors.push(fieldRequired("status.driverName", "must be specified when `allocation` is set"));
  if (allocation !== undefined) addAllocationErrors(errors, allocation);
  addConsumerErrors(errors, listAt(status, "reservedFor"));
  addReservationErrors(errors, claim, before, allocation);
  const oldAllocation = objectAt(before, "allocation");
  if (allocation !== undefined && oldAllocation !== undefined && !jsonEqual(allocation, oldAllocation)) {
    const shown = typedValue("resource.AllocationResult", allocation);
    errors.push(fieldInvalid(allocationField, shown, "field is immutable"));
  }
  addDeallocationErrors(errors, status, before);
}

function addAllocationErrors(errors: Findings, allocation: JsonObject): void {
  // In 1.26, there is one handle, a text.
  const handle = textAt(allocation, "resourceHandle");
  if (utf8Length(handle) > longestData)
    errors.push(fieldLongerThan(child(allocationField, "resourceHandle"), longestData));
  const handles = listAt(allocation, "resourceHandles");
  const field = child(allocationField, "resourceHandles");
  for (const [i, one] of handles.entries()) addHandleErrors(errors, one, index(field, i));
  if (handles.length > most) errors.push(fieldLongerThan(field, most));
  const nodes = objectAt(allocation, "availableOnNodes");
  if (nodes !== undefined)
    addNodeSelector(errors, nodes, child(allocationField, "availableOnNodes"), {
      allowsInvalidValues: false,
    });
}

function addHandleErrors(errors: Findings, handle: JsonObject, at: string): void {
  const data = textAt(handle, "data");
  const structured = objectAt(handle, "structuredData");
  addDriverNameErrors(errors, textAt(handle, "driverName"), child(at, "driverName"));
  if (utf8Length(data) > longestData) errors.push(fieldLongerThan(child(at, "data"), longestData));
  if (structured === undefined) return;
  addStructuredErrors(errors, structured, child(at, "structuredData"));
  if (data !== "") errors.push(fieldInvalid(at, undefined, "data and structuredData are mutually exclusive"));
}

function addStructuredErrors(errors: Findings, handle: JsonObject, at: string): void {
  const node = textAt(handle, "nodeName");
  if (node !== "") addSubdomain(errors, node, child(at, "nodeName"));
  for (const [i, result] of listAt(handle, "results").entries())
    addModelErrors(errors, result, index(child(at, "results"), i), addAllocatedNameErrors);
}

function addConsumerErrors(errors: Findings, consumers: readonly JsonObject[]): void {
  const uids = consumers.map((consumer) => textAt(consumer, "uid"));
  const isRepeated = repeats(uids);
  for (const [i, consumer] of consumers.entries()) {
    const at = index(reservedField, i);
    if (isRepeated[i]) {
      errors.push(fieldDuplicate(child(at, "uid"), uids[i] ?? ""));
      continue;
    }
    for (const name of ["resource", "name", "uid"]) {
      if (textAt(consumer, name) === "") errors.push(fieldRequired(child(at, name)));
    }
  }
  if (consumers.length > most) errors.push(fieldLongerThan(reservedField, most));
}

/** Only an allocated claim can be reserved, by several consumers only if it is shareable, and by no more while it is deallocated. */
function addReservationErrors(
  errors: Findings,
  { metadata, ...claim }: KubeObject,
  before: JsonObject,
  allocation: JsonObject | undefined,
): void {
  const consumers = listAt(claim, "status", "reservedFor");
  if (consumers.length === 0) return;
  const forbid = (detail: string) => errors.push(fieldForbidden(reservedField, detail));
  if (allocation === undefined) {
    forbid("may not be specified when `allocated` is not set");
    return;
  }
  if (!booleanAt(allocation, "shareable") && consumers.length > 1)
    forbid("may not be reserved more than once");
  const isEnding =
    metadata.deletionTimestamp !== undefined || booleanAt(claim, "status", "deallocationRequested");
  const known = new Set(listAt(before, "reservedFor").map(jsonKey));
  if (isEnding && consumers.some((consumer) => !known.has(jsonKey(consumer))))
    forbid("new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set");
}

/** A deallocation starts without consumers and cannot be taken back. */
function addDeallocationErrors(errors: Findings, status: JsonObject, before: JsonObject): void {
  const isRequested = booleanAt(status, "deallocationRequested");
  const wasRequested = booleanAt(before, "deallocationRequested");
  const isAllocated = objectAt(status, "allocation") !== undefined;
  if (!wasRequested && isRequested && listAt(status, "reservedFor").length > 0)
    errors.push(
      fieldForbidden(deallocationField, "deallocation cannot be requested while `reservedFor` is set"),
    );
  if (!isAllocated && isRequested)
    errors.push(fieldForbidden("status", "`allocation` must be set when `deallocationRequested` is set"));
  if (wasRequested && !isRequested && isAllocated)
    errors.push(fieldForbidden(deallocationField, "may not be cleared when `allocation` is set"));
}
