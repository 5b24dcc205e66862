import { fieldForbidden, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addParameterErrors, addProvisionerErrors } from "../provisioner/provisioner-validation.ts";
import { addTopologyErrors } from "./topology-validation.ts";

const reclaimPolicies = ["Delete", "Retain"];
const bindingModes = ["Immediate", "WaitForFirstConsumer"];

/** Adds the errors in a StorageClass. Upstream: pkg/apis/storage/validation/validation.go, ValidateStorageClass. */
export function addStorageClassErrors(errors: Findings, object: KubeObject): void {
  const policy = textAt(object, "reclaimPolicy");
  addProvisionerErrors(errors, textAt(object, "provisioner"), "provisioner");
  addParameterErrors(errors, object, "may be empty");
  if (policy !== "" && !reclaimPolicies.includes(policy)) {
    errors.push(fieldNotSupported("reclaimPolicy", policy, reclaimPolicies));
  }
  addBindingModeErrors(errors, textAt(object, "volumeBindingMode"));
  addTopologyErrors(errors, listAt(object, "allowedTopologies"), "allowedTopologies");
}

function addBindingModeErrors(errors: Findings, mode: string): void {
  if (!bindingModes.includes(mode)) errors.push(fieldNotSupported("volumeBindingMode", mode, bindingModes));
}

/** Adds the errors about changes of immutable fields. */
export function addStorageClassUpdateErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  for (const field of ["parameters", "provisioner", "reclaimPolicy"]) {
    if (!jsonEqual(object[field], old[field])) {
      errors.push(fieldForbidden(field, `updates to ${field} are forbidden.`));
    }
  }
  const mode = object["volumeBindingMode"];
  if (mode === old["volumeBindingMode"]) return;
  errors.push(fieldInvalid("volumeBindingMode", mode, "field is immutable"));
}
