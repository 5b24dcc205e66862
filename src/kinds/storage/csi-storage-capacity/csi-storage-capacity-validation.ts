import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import { addSelector } from "../../findings/findings.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

/**
 * The errors in a new CSIStorageCapacity.
 * Upstream: pkg/apis/storage/validation/validation.go, ValidateCSIStorageCapacity.
 */
export function csiStorageCapacityErrors(object: KubeObject): readonly FieldError[] {
  return specErrors(object, false);
}

/** The errors of an update. Invalid label values in the old topology remain accepted. */
export function csiStorageCapacityUpdateErrors(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const allowsInvalidValues = labelSelectorErrors(old["nodeTopology"], "").length > 0;
  return [
    ...metadataErrors(object, metadataRules),
    ...specErrors(object, allowsInvalidValues),
    ...metadataUpdateErrors(object, old),
    ...capacityChangeErrors(object, old),
  ];
}

function specErrors(object: KubeObject, allowsInvalidValues: boolean): FieldError[] {
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
    errors.push(fieldInvalid("nodeTopology", typedValue("v1.LabelSelector", topology), "field is immutable"));
  }
  const name = textAt(object, "storageClassName");
  if (name !== textAt(old, "storageClassName")) {
    errors.push(fieldInvalid("storageClassName", name, "field is immutable"));
  }
  return errors;
}
