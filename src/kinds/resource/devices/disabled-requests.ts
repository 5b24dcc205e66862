import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Edit, editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type GatedFields, withoutGatedFields } from "../../../registry/contract/gated-fields.ts";

/** Upstream: pkg/api/resourceclaimspec/util.go, and until 1.34 pkg/registry/resource/resourceclaim/strategy.go. */
const ofSpec: readonly GatedFields[] = [
  {
    gate: "DRAPrioritizedList",
    drop: (spec) => ofRequests(spec, (request) => without(request, ["firstAvailable"])),
  },
  {
    gate: "DRADeviceTaints",
    since: "1.35",
    drop: (spec) => ofAlternatives(spec, (request) => without(request, ["tolerations"])),
  },
  {
    gate: "DRAAdminAccess",
    drop: (spec) => ofRequests(spec, ofBothForms(["adminAccess"])),
  },
  {
    gate: "DRAConsumableCapacity",
    drop: (spec) =>
      editedAt(
        ofAlternatives(spec, (request) => without(request, ["capacity"])),
        "devices",
        (devices) =>
          editedEach(devices, "constraints", (constraint) => without(constraint, ["distinctAttribute"])),
      ),
  },
];

/** The spec of a claim without the fields of disabled features, unless the old spec uses them. */
export function withoutDisabledRequests(
  spec: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): JsonObject {
  return withoutGatedFields(spec, old, gates, ofSpec);
}

function ofRequests(spec: JsonObject, edit: Edit): JsonObject {
  return editedAt(spec, "devices", (devices) => editedEach(devices, "requests", edit));
}

/** Versions before v1beta2 have the fields of `exactly` in the request itself. */
function ofBothForms(fields: readonly string[]): Edit {
  return (request) => editedAt(without(request, fields), "exactly", (exactly) => without(exactly, fields));
}

/** Edits the requests and their alternatives. */
function ofAlternatives(spec: JsonObject, edit: Edit): JsonObject {
  return ofRequests(spec, (request) =>
    editedEach(editedAt(edit(request), "exactly", edit), "firstAvailable", edit),
  );
}
