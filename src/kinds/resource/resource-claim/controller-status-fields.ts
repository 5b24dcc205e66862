import { booleanAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { editedAt, without } from "../../../apimachinery/object-edits.ts";
import type { GatedFields } from "../../../registry/contract/gated-fields.ts";

const gate = "DRAControlPlaneController";

const isAllocatedByController = (claim: JsonObject): boolean =>
  textAt(claim, "status", "allocation", "controller") !== "";

/**
 * What controllers write into the status of a claim of 1.31. Claims that a controller allocated can be deallocated. Upstream:
 * pkg/registry/resource/resourceclaim/strategy.go of 1.31, dropDisabledFields.
 */
export const controllerStatusFields: readonly GatedFields[] = [
  {
    gate,
    since: "1.31",
    isInUse: (old) =>
      textAt(old, "spec", "controller") !== "" || objectAt(old, "status", "allocation") !== undefined,
    drop: (claim) =>
      editedAt(claim, "status", (status) =>
        editedAt(status, "allocation", (allocation) => without(allocation, ["controller"])),
      ),
  },
  {
    gate,
    since: "1.31",
    isInUse: (old) => booleanAt(old, "status", "deallocationRequested"),
    drop: (claim) =>
      isAllocatedByController(claim)
        ? claim
        : editedAt(claim, "status", (status) => without(status, ["deallocationRequested"])),
  },
];
