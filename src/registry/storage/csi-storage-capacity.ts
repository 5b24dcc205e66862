import { type FieldError, fieldInvalid } from "../../apimachinery/field.ts";
import { textAt } from "../../apimachinery/fields.ts";
import { goLabelSelector, typedValue } from "../../apimachinery/go-type.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import { labelSelectorErrors } from "../../apimachinery/label-selector-object.ts";
import { dnsSubdomainMessages } from "../../apimachinery/names.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import type { Strategy } from "../strategy.ts";

/** Capacities are of one class in one part of the cluster, and are not checked again when they change. */
export function csiStorageCapacityStrategy(base: Strategy): Strategy {
  return { ...base, validate: capacityErrors, validateUpdate: capacityChangeErrors };
}

function capacityErrors(object: KubeObject): FieldError[] {
  const name = textAt(object, "storageClassName");
  const capacity = textAt(object, "capacity");
  const isNegative = capacity !== "" && parseQuantity(capacity).sign < 0;
  return [
    ...labelSelectorErrors(object["nodeTopology"], "nodeTopology"),
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
