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
    drop: (slice) => ofDevices(slice, ["bindsToNode", "bindingConditions", "bindingFailureConditions"]),
  },
];

/** Versions before v1beta2 have the fields of a device one level deeper. */
const ofDevices = (slice: Parameters<Edit>[0], fields: readonly string[]): ReturnType<Edit> => {
  const edit: Edit = (device) =>
    editedAt(without(device, fields), "basic", (basic) => without(basic, fields));
  return editedAt(slice, "spec", (spec) => editedEach(spec, "devices", edit));
};
