import { objectAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { nodeLabelDeprecation, nodeTermWarnings } from "../../pod-spec/warnings/node-label-warnings.ts";
import {
  addCsiStorageCapacityErrors,
  addCsiStorageCapacityUpdateErrors,
} from "./csi-storage-capacity-validation.ts";

/** The strategy of CSIStorageCapacities, whose topology and class are immutable. */
export function csiStorageCapacityStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: addCsiStorageCapacityErrors,
    validateUpdate: addCsiStorageCapacityUpdateErrors,
    warningsOnCreate: topologyWarnings,
    warningsOnUpdate: topologyWarnings,
  };
}

/** The warnings for deprecated node labels. */
function topologyWarnings(object: KubeObject): readonly string[] {
  const topology = objectAt(object, "nodeTopology") ?? {};
  const labels = Object.keys(objectAt(topology, "matchLabels") ?? {});
  return [
    ...nodeTermWarnings(topology, "nodeTopology", "unchecked"),
    ...labels.flatMap((label) => {
      const deprecation = nodeLabelDeprecation(label);
      return deprecation === undefined
        ? []
        : [`${child("nodeTopology", "matchLabels", label)}: ${deprecation}`];
    }),
  ];
}
