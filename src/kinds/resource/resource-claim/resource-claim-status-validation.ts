import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go, typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { jsonKey } from "../../../apimachinery/json-key.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { cidrMessages } from "../../../apimachinery/validation/value-formats.ts";
import { addNodeSelector } from "../../pod-spec/validation/node-selector.ts";
import { addBoundedListErrors, addDuplicateErrors } from "../devices/bounded-list-validation.ts";
import { addRequestNameErrors, addRequestReferenceErrors } from "../devices/claim-spec-validation.ts";
import {
  addDeviceConfigurationErrors,
  addRawObjectErrors,
} from "../devices/device-configuration-validation.ts";
import {
  addDriverNameErrors,
  addLabelNameErrors,
  addPoolNameErrors,
} from "../devices/device-name-validation.ts";
import { requestNames } from "../devices/device-request-validation.ts";

const maxResults = 32;
const maxConfigurations = 64;
const sources = ["FromClaim", "FromClass"];
const allocationField = "status.allocation";
const reservedField = "status.reservedFor";
const devicesField = "status.devices";

/** The maximum number of consumers of a claim: 256 since 1.33. */
export type MaxConsumers = 32 | 256;

/** Validates the status of a claim. Upstream: ValidateResourceClaimStatusUpdate. */
export function addClaimStatusErrors(
  errors: Findings,
  claim: KubeObject,
  old: KubeObject,
  most: MaxConsumers,
): void {
  const status = structAt(claim, "status");
  const before = structAt(old, "status");
  const names = requestNames(listAt(claim, "spec", "devices", "requests"));
  const allocation = objectAt(status, "allocation");
  if (allocation !== undefined) addAllocationErrors(errors, allocation, names);
  addConsumerErrors(errors, listAt(status, "reservedFor"), most);
  addDeviceErrors(errors, listAt(status, "devices"), listAt(status, "allocation", "devices", "results"));
  addReservationErrors(errors, status, before, Boolean(claim.metadata.deletionTimestamp));
  addAllocationChangeErrors(errors, allocation, objectAt(before, "allocation"));
}

function addAllocationErrors(errors: Findings, allocation: JsonObject, names: ReadonlySet<string>): void {
  const devices = structAt(allocation, "devices");
  const at = child(allocationField, "devices");
  addBoundedListErrors(
    errors,
    listAt(devices, "results"),
    maxResults,
    child(at, "results"),
    (errors, result, where) => {
      addRequestNameErrors(errors, textAt(result, "request"), child(where, "request"), names);
      addDriverNameErrors(errors, textAt(result, "driver"), child(where, "driver"));
      addPoolNameErrors(errors, textAt(result, "pool"), child(where, "pool"));
      addLabelNameErrors(errors, textAt(result, "device"), child(where, "device"));
    },
  );
  addBoundedListErrors(
    errors,
    listAt(devices, "config"),
    maxConfigurations,
    child(at, "config"),
    (errors, config, where) => {
      addSourceErrors(errors, textAt(config, "source"), child(where, "source"));
      addRequestReferenceErrors(errors, config, where, names);
      addDeviceConfigurationErrors(errors, config, where, "stored");
    },
  );
  const selector = objectAt(allocation, "nodeSelector");
  if (selector !== undefined) {
    addNodeSelector(errors, selector, child(allocationField, "nodeSelector"), { allowsInvalidValues: false });
  }
}

function addSourceErrors(errors: Findings, source: string, field: string): void {
  if (source === "") errors.push(fieldRequired(field));
  else if (!sources.includes(source)) errors.push(fieldNotSupported(field, source, sources));
}

function addConsumerErrors(errors: Findings, consumers: readonly JsonObject[], most: MaxConsumers): void {
  const uids = consumers.map((consumer) => textAt(consumer, "uid"));
  addBoundedListErrors(errors, consumers, most, reservedField, (errors, consumer, at) => {
    for (const name of ["resource", "name", "uid"]) {
      if (textAt(consumer, name) === "") errors.push(fieldRequired(child(at, name)));
    }
  });
  addDuplicateErrors(errors, uids, reservedField, "uid");
}

/** Validates the reports on devices: one for each allocated device at most. */
function addDeviceErrors(
  errors: Findings,
  devices: readonly JsonObject[],
  results: readonly JsonObject[],
): void {
  const given = new Set(results.map(deviceId));
  const ids = devices.map(deviceId);
  addBoundedListErrors(errors, devices, Number.POSITIVE_INFINITY, devicesField, (errors, device, at) => {
    if (!given.has(deviceId(device))) {
      errors.push(
        fieldInvalid(at, go.stringer(deviceId(device)), "must be an allocated device in the claim"),
      );
    }
    if ((device["data"] ?? null) !== null) {
      addRawObjectErrors(errors, device["data"], child(at, "data"), "new");
    }
    addBoundedListErrors(
      errors,
      textsAt(device, "networkData", "ips"),
      Number.POSITIVE_INFINITY,
      child(at, "networkData", "ips"),
      (errors, ip, where) => addInvalid(errors, where, ip, cidrMessages(ip)),
    );
  });
  const isRepeated = repeats(ids);
  for (const [i, id] of ids.entries()) {
    if (isRepeated[i]) {
      errors.push(fieldDuplicate(child(index(devicesField, i), "deviceID"), go.stringer(id)));
    }
  }
}

function deviceId(device: JsonObject): string {
  return ["driver", "pool", "device"].map((name) => textAt(device, name)).join("/");
}

/** Only an allocated claim can be reserved, and a terminating claim gets no new consumers. */
function addReservationErrors(
  errors: Findings,
  status: JsonObject,
  before: JsonObject,
  isDeleted: boolean,
): void {
  if (sizeAt(status, "reservedFor") === 0) return;
  if (objectAt(status, "allocation") === undefined) {
    errors.push(fieldForbidden(reservedField, "may not be specified when `allocated` is not set"));
    return;
  }
  const old = new Set(listAt(before, "reservedFor").map(jsonKey));
  const isNew = (consumer: JsonObject) => !old.has(jsonKey(consumer));
  if (!isDeleted || !listAt(status, "reservedFor").some(isNew)) return;
  const detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
  errors.push(fieldForbidden(reservedField, detail));
}

function addAllocationChangeErrors(
  errors: Findings,
  allocation: JsonObject | undefined,
  old: JsonObject | undefined,
): void {
  if (allocation === undefined || old === undefined || jsonEqual(allocation, old)) return;
  errors.push(
    fieldInvalid(allocationField, typedValue("resource.AllocationResult", allocation), "field is immutable"),
  );
}
