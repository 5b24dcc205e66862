import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Edit, editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";
import type { GatedFields } from "../../../registry/contract/gated-fields.ts";

/** Upstream: pkg/registry/resource/resourceslice/strategy.go, dropDisabledFields. */
export const gatedSliceFields: readonly GatedFields[] = [
  {
    gate: "DRAPartitionableDevices",
    drop: (slice) =>
      ofDevices(
        editedAt(slice, "spec", (spec) => without(spec, ["sharedCounters", "perDeviceNodeSelection"])),
        ["consumesCounters", "nodeName", "nodeSelector", "allNodes"],
      ),
  },
  { gate: "DRADeviceTaints", drop: (slice) => ofDevices(slice, ["taints"]) },
  {
    gate: "DRADeviceBindingConditions",
    requires: "DRAResourceClaimDeviceStatus",
    drop: (slice) => ofDevices(slice, ["bindsToNode", "bindingConditions", "bindingFailureConditions"]),
  },
  {
    gate: "DRAConsumableCapacity",
    drop: (slice) =>
      ofEachDevice(ofDevices(slice, ["allowMultipleAllocations"]), (device) =>
        editedAt(device, "capacity", (capacity) =>
          editedValues(capacity, (amount) => without(amount, ["requestPolicy"])),
        ),
      ),
  },
  {
    gate: "DRANodeAllocatableResources",
    drop: (slice) => ofDevices(slice, ["nodeAllocatableResourceMappings"]),
  },
  {
    gate: "DRAListTypeAttributes",
    drop: (slice) =>
      ofEachDevice(slice, (device) =>
        editedAt(device, "attributes", (attributes) =>
          editedValues(attributes, (attribute) =>
            without(attribute, ["bools", "ints", "strings", "versions"]),
          ),
        ),
      ),
  },
];

/** Versions before v1beta2 have the fields of a device one level deeper. */
function ofEachDevice(slice: JsonObject, edit: Edit): JsonObject {
  const editBoth: Edit = (device) => editedAt(edit(device), "basic", edit);
  return editedAt(slice, "spec", (spec) => editedEach(spec, "devices", editBoth));
}

function ofDevices(slice: JsonObject, fields: readonly string[]): JsonObject {
  return ofEachDevice(slice, (device) => without(device, fields));
}

/** The map with an edit applied to every value. */
function editedValues(map: JsonObject, edit: Edit): JsonObject {
  return Object.keys(map).reduce((edited, key) => editedAt(edited, key, edit), map);
}
