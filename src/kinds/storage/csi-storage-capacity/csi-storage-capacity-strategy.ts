import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { goLabelSelector, typedValue } from "../../../apimachinery/go/go-type.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addSelector } from "../../findings/findings.ts";
import { nodeLabelDeprecation, nodeTermWarnings } from "../../pod-spec/warnings/node-label-warnings.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

/** Capacities are of one class in one part of the cluster. */
export function csiStorageCapacityStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: (object) => capacityErrors(object, false),
    validateUpdate: capacityUpdateErrors,
    warningsOnCreate: topologyWarnings,
    warningsOnUpdate: topologyWarnings,
  };
}

/** What is wrong with a changed capacity; labels that none can have may stay in its topology. */
export function capacityUpdateErrors(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const allowsInvalidValues = labelSelectorErrors(old["nodeTopology"], "").length > 0;
  return [
    ...metadataErrors(object, metadataRules),
    ...capacityErrors(object, allowsInvalidValues),
    ...metadataUpdateErrors(object, old),
    ...capacityChangeErrors(object, old),
  ];
}

function capacityErrors(object: KubeObject, allowsInvalidValues: boolean): FieldError[] {
  const name = textAt(object, "storageClassName");
  const capacity = textAt(object, "capacity");
  const isNegative = capacity !== "" && parseQuantity(capacity).sign < 0;
  const errors: FieldError[] = [];
  addSelector(errors, object["nodeTopology"], "nodeTopology", { allowsInvalidValues });
  return [
    ...errors,
    ...dnsSubdomainMessages(name).map((message) => fieldInvalid("storageClassName", name, message)),
    ...(isNegative ? [fieldInvalid("capacity", capacity, "must be greater than or equal to 0")] : []),
  ];
}

function capacityChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const topology = object["nodeTopology"];
  if (!jsonEqual(topology, old["nodeTopology"])) {
    errors.push(fieldInvalid("nodeTopology", typedValue(goLabelSelector, topology), "field is immutable"));
  }
  const name = textAt(object, "storageClassName");
  if (name !== textAt(old, "storageClassName")) {
    errors.push(fieldInvalid("storageClassName", name, "field is immutable"));
  }
  return errors;
}

/** Labels of nodes that are no longer what they were. */
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
