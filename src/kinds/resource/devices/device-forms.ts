import { listAt, objectAt, structAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { VersionForm } from "../../../registry/contract/version-form.ts";

/** The fields of a request beside those of an exact request. */
const requestFields: ReadonlySet<string> = new Set(["name", "firstAvailable"]);

/** Up to v1beta1, a request has the fields of `exactly` itself (kubernetes, pkg/apis/resource/v1beta1/conversion.go). */
export const earlyClaimForm: VersionForm = {
  toInternal: (claim) => withRequests(claim, ["spec"], requestFromEarly),
  fromInternal: (claim) => withRequests(claim, ["spec"], requestToEarly),
};

/** The same for the claim in a template. */
export const earlyClaimTemplateForm: VersionForm = {
  toInternal: (template) => withRequests(template, ["spec", "spec"], requestFromEarly),
  fromInternal: (template) => withRequests(template, ["spec", "spec"], requestToEarly),
};

/** Up to v1beta1, a device has its fields in `basic`. */
export const earlySliceForm: VersionForm = {
  toInternal: (slice) => withDevices(slice, deviceFromEarly),
  fromInternal: (slice) => withDevices(slice, deviceToEarly),
};

/** In v1alpha3, the capacity is a quantity instead of a structure with one as well. */
export const alphaSliceForm: VersionForm = {
  toInternal: (slice) =>
    withDevices(slice, (device) => withCapacity(deviceFromEarly(device), (value) => ({ value }))),
  fromInternal: (slice) =>
    withDevices(slice, (device) => deviceToEarly(withCapacity(device, quantityOfCapacity))),
};

function requestFromEarly(request: JsonObject): JsonObject {
  const [kept, exactly] = partition(request, (field) => requestFields.has(field));
  return Object.keys(exactly).length > 0 ? { ...kept, exactly } : kept;
}

function requestToEarly({ exactly, ...request }: JsonObject): JsonObject {
  return isJsonObject(exactly) ? { ...request, ...exactly } : request;
}

function deviceFromEarly({ basic, ...device }: JsonObject): JsonObject {
  return isJsonObject(basic) ? { ...device, ...basic } : device;
}

function deviceToEarly(device: JsonObject): JsonObject {
  const [kept, basic] = partition(device, (field) => field === "name");
  return { ...kept, basic };
}

function withCapacity(device: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  const capacity = objectAt(device, "capacity");
  if (capacity === undefined) return device;
  const changed = Object.entries(capacity).map(([name, value]) => [name, change(value)]);
  return { ...device, capacity: Object.fromEntries(changed) };
}

function quantityOfCapacity(capacity: JsonValue): JsonValue {
  return isJsonObject(capacity) ? (capacity["value"] ?? "0") : capacity;
}

function withDevices<T extends KubeObject | MutableKubeObject>(
  slice: T,
  change: (device: JsonObject) => JsonObject,
): T {
  const spec = structAt(slice, "spec");
  if (!Array.isArray(spec["devices"])) return slice;
  return { ...slice, spec: { ...spec, devices: listAt(spec, "devices").map(change) } };
}

/** `path` leads to the spec of the claim. */
function withRequests<T extends JsonObject>(
  object: T,
  [field, ...path]: readonly string[],
  change: (request: JsonObject) => JsonObject,
): T {
  if (field !== undefined) {
    const value = object[field];
    return isJsonObject(value) ? { ...object, [field]: withRequests(value, path, change) } : object;
  }
  const devices = objectAt(object, "devices");
  if (devices === undefined || !Array.isArray(devices["requests"])) return object;
  return { ...object, devices: { ...devices, requests: listAt(devices, "requests").map(change) } };
}

function partition(object: JsonObject, isFirst: (field: string) => boolean): [JsonObject, JsonObject] {
  const entries = Object.entries(object);
  const pick = (isWanted: boolean): JsonObject =>
    Object.fromEntries(entries.filter(([field]) => isFirst(field) === isWanted));
  return [pick(true), pick(false)];
}
