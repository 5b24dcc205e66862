import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
} from "../../../apimachinery/errors/field.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parameterErrors, provisionerErrors } from "../provisioner/provisioner-validation.ts";
import { topologyErrors } from "./topology-validation.ts";

const reclaimPolicies = ["Delete", "Retain"];
const bindingModes = ["Immediate", "WaitForFirstConsumer"];

/** The errors in a StorageClass. Upstream: pkg/apis/storage/validation/validation.go, ValidateStorageClass. */
export function storageClassErrors(object: KubeObject): FieldError[] {
  const policy = textAt(object, "reclaimPolicy");
  return [
    ...provisionerErrors(textAt(object, "provisioner"), "provisioner"),
    ...parameterErrors(object, "may be empty"),
    ...(policy === "" || reclaimPolicies.includes(policy)
      ? []
      : [fieldNotSupported("reclaimPolicy", policy, reclaimPolicies)]),
    ...bindingModeErrors(textAt(object, "volumeBindingMode")),
    ...topologyErrors(listAt(object, "allowedTopologies"), "allowedTopologies"),
  ];
}

function bindingModeErrors(mode: string): FieldError[] {
  return bindingModes.includes(mode) ? [] : [fieldNotSupported("volumeBindingMode", mode, bindingModes)];
}

/** The errors about changes of immutable fields. */
export function storageClassUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const errors = ["parameters", "provisioner", "reclaimPolicy"]
    .filter((field) => !jsonEqual(object[field], old[field]))
    .map((field) => fieldForbidden(field, `updates to ${field} are forbidden.`));
  const mode = object["volumeBindingMode"];
  if (mode === old["volumeBindingMode"]) return errors;
  return [...errors, fieldInvalid("volumeBindingMode", mode, "field is immutable")];
}
