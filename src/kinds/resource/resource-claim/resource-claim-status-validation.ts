import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go, typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { cidrMessages } from "../../../apimachinery/validation/value-formats.ts";
import { addNodeSelector } from "../../pod-spec/validation/node-selector.ts";
import { boundedListErrors, duplicateErrors } from "../devices/bounded-list-validation.ts";
import { requestNameErrors, requestReferenceErrors } from "../devices/claim-spec-validation.ts";
import { deviceConfigurationErrors, rawObjectErrors } from "../devices/device-configuration-validation.ts";
import { driverNameErrors, labelNameErrors, poolNameErrors } from "../devices/device-name-validation.ts";
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
export function claimStatusErrors(claim: KubeObject, old: KubeObject, most: MaxConsumers): FieldError[] {
  const status = structAt(claim, "status");
  const before = structAt(old, "status");
  const names = requestNames(listAt(claim, "spec", "devices", "requests"));
  const allocation = objectAt(status, "allocation");
  return [
    ...(allocation === undefined ? [] : allocationErrors(allocation, names)),
    ...consumerErrors(listAt(status, "reservedFor"), most),
    ...deviceErrors(listAt(status, "devices"), listAt(status, "allocation", "devices", "results")),
    ...reservationErrors(status, before, Boolean(claim.metadata.deletionTimestamp)),
    ...allocationChangeErrors(allocation, objectAt(before, "allocation")),
  ];
}

function allocationErrors(allocation: JsonObject, names: ReadonlySet<string>): FieldError[] {
  const devices = structAt(allocation, "devices");
  const at = child(allocationField, "devices");
  const errors = [
    ...boundedListErrors(listAt(devices, "results"), maxResults, child(at, "results"), (result, where) => [
      ...requestNameErrors(textAt(result, "request"), child(where, "request"), names),
      ...driverNameErrors(textAt(result, "driver"), child(where, "driver")),
      ...poolNameErrors(textAt(result, "pool"), child(where, "pool")),
      ...labelNameErrors(textAt(result, "device"), child(where, "device")),
    ]),
    ...boundedListErrors(
      listAt(devices, "config"),
      maxConfigurations,
      child(at, "config"),
      (config, where) => [
        ...sourceErrors(textAt(config, "source"), child(where, "source")),
        ...requestReferenceErrors(config, where, names),
        ...deviceConfigurationErrors(config, where, "stored"),
      ],
    ),
  ];
  const selector = objectAt(allocation, "nodeSelector");
  if (selector !== undefined)
    addNodeSelector(errors, selector, child(allocationField, "nodeSelector"), { allowsInvalidValues: false });
  return errors;
}

function sourceErrors(source: string, field: string): FieldError[] {
  if (source === "") return [fieldRequired(field)];
  return sources.includes(source) ? [] : [fieldNotSupported(field, source, sources)];
}

function consumerErrors(consumers: readonly JsonObject[], most: MaxConsumers): FieldError[] {
  const uids = consumers.map((consumer) => textAt(consumer, "uid"));
  return [
    ...boundedListErrors(consumers, most, reservedField, (consumer, at) =>
      ["resource", "name", "uid"]
        .filter((name) => textAt(consumer, name) === "")
        .map((name) => fieldRequired(child(at, name))),
    ),
    ...duplicateErrors(uids, reservedField, "uid"),
  ];
}

/** Validates the reports on devices: one for each allocated device at most. */
function deviceErrors(devices: readonly JsonObject[], results: readonly JsonObject[]): FieldError[] {
  const given = new Set(results.map(deviceId));
  const ids = devices.map(deviceId);
  return [
    ...boundedListErrors(devices, Number.POSITIVE_INFINITY, devicesField, (device, at) => [
      ...(given.has(deviceId(device))
        ? []
        : [fieldInvalid(at, go.stringer(deviceId(device)), "must be an allocated device in the claim")]),
      ...((device["data"] ?? null) === null ? [] : rawObjectErrors(device["data"], child(at, "data"), "new")),
      ...boundedListErrors(
        textsAt(device, "networkData", "ips"),
        Number.POSITIVE_INFINITY,
        child(at, "networkData", "ips"),
        (ip, where) => cidrMessages(ip).map((message) => fieldInvalid(where, ip, message)),
      ),
    ]),
    ...ids.flatMap((id, i) =>
      ids.indexOf(id) === i
        ? []
        : [fieldDuplicate(child(index(devicesField, i), "deviceID"), go.stringer(id))],
    ),
  ];
}

function deviceId(device: JsonObject): string {
  return ["driver", "pool", "device"].map((name) => textAt(device, name)).join("/");
}

/** Only an allocated claim can be reserved, and a terminating claim gets no new consumers. */
function reservationErrors(status: JsonObject, before: JsonObject, isDeleted: boolean): FieldError[] {
  if (sizeAt(status, "reservedFor") === 0) return [];
  if (objectAt(status, "allocation") === undefined) {
    return [fieldForbidden(reservedField, "may not be specified when `allocated` is not set")];
  }
  const old = listAt(before, "reservedFor");
  const isNew = (consumer: JsonObject) => !old.some((other) => jsonEqual(other, consumer));
  if (!isDeleted || !listAt(status, "reservedFor").some(isNew)) return [];
  const detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
  return [fieldForbidden(reservedField, detail)];
}

function allocationChangeErrors(
  allocation: JsonObject | undefined,
  old: JsonObject | undefined,
): FieldError[] {
  if (allocation === undefined || old === undefined || jsonEqual(allocation, old)) return [];
  return [
    fieldInvalid(allocationField, typedValue("resource.AllocationResult", allocation), "field is immutable"),
  ];
}
