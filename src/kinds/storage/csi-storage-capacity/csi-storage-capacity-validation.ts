import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { addSelector, isValidLabelSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

/**
 * Adds the errors in a new CSIStorageCapacity.
 * Upstream: pkg/apis/storage/validation/validation.go, ValidateCSIStorageCapacity.
 */
export function addCsiStorageCapacityErrors(errors: Findings, object: KubeObject): void {
  addSpecErrors(errors, object, false);
}

/** Adds the errors of an update. Invalid label values in the old topology remain accepted. */
export function addCsiStorageCapacityUpdateErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
): void {
  const allowsInvalidValues = !isValidLabelSelector(old["nodeTopology"]);
  addMetadataErrors(errors, object, metadataRules);
  addSpecErrors(errors, object, allowsInvalidValues);
  addMetadataUpdateErrors(errors, object, old);
  addCapacityChangeErrors(errors, object, old);
}

function addSpecErrors(errors: Findings, object: KubeObject, allowsInvalidValues: boolean): void {
  const name = textAt(object, "storageClassName");
  const capacity = textAt(object, "capacity");
  const isNegative = capacity !== "" && parseQuantity(capacity).sign < 0;
  addSelector(errors, object["nodeTopology"], "nodeTopology", { allowsInvalidValues });
  addInvalid(errors, "storageClassName", name, dnsSubdomainMessages(name));
  if (isNegative) errors.push(fieldInvalid("capacity", capacity, "must be greater than or equal to 0"));
}

function addCapacityChangeErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  const topology = object["nodeTopology"];
  if (!jsonEqual(topology, old["nodeTopology"])) {
    errors.push(fieldInvalid("nodeTopology", typedValue("v1.LabelSelector", topology), "field is immutable"));
  }
  const name = textAt(object, "storageClassName");
  if (name !== textAt(old, "storageClassName")) {
    errors.push(fieldInvalid("storageClassName", name, "field is immutable"));
  }
}
