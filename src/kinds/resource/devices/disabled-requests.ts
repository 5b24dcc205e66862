import { listAt, objectAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type GatedFields, withoutGatedFields } from "../../../registry/contract/gated-fields.ts";

/** Drops the alternatives of requests while their gate is off, unless the old spec has some. */
const alternatives: readonly GatedFields[] = [
  {
    gate: "DRAPrioritizedList",
    drop: (spec) =>
      editedAt(spec, "devices", (devices) =>
        editedEach(devices, "requests", (request) => without(request, ["firstAvailable"])),
      ),
  },
];

/** The spec of a claim without the fields of disabled features, unless the old spec uses them. */
export function withoutDisabledRequests(
  spec: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): JsonObject {
  return withoutDisabledAdminAccess(withoutGatedFields(spec, old, gates, alternatives), old, gates);
}

/** Drops `adminAccess` from the spec of a claim while its gate is off, unless the old spec uses it. */
function withoutDisabledAdminAccess(
  spec: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): JsonObject {
  const requests = listAt(spec, "devices", "requests");
  const inUse = listAt(old ?? {}, "devices", "requests").some(hasAdminAccess);
  if (gates.isEnabled("DRAAdminAccess") || inUse || !requests.some(hasAdminAccess)) return spec;
  const devices = { ...structAt(spec, "devices"), requests: requests.map(withoutAdminAccess) };
  return { ...spec, devices };
}

function hasAdminAccess(request: JsonObject): boolean {
  return request["adminAccess"] !== undefined || objectAt(request, "exactly")?.["adminAccess"] !== undefined;
}

function withoutAdminAccess({ adminAccess: _dropped, ...request }: JsonObject): JsonObject {
  const exactly = objectAt(request, "exactly");
  return exactly === undefined ? request : { ...request, exactly: withoutAdminAccess(exactly) };
}
