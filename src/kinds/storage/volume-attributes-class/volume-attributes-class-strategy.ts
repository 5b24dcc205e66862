import { type FieldError, fieldForbidden } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { parameterErrors, provisionerErrors } from "../provisioner/provisioner-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** The strategy of VolumeAttributesClasses, which are immutable. */
export function volumeAttributesClassStrategy(base: Strategy): Strategy {
  const strategy: Strategy = {
    ...base,
    validate: attributesClassErrors,
    validateUpdate: (object, old) => [
      ...["driverName", "parameters"]
        .filter((field) => !jsonEqual(object[field], old[field]))
        .map((field) => fieldForbidden(field, `updates to ${field} are forbidden.`)),
      ...metadataErrors(object, metadataRules),
      ...attributesClassErrors(object),
    ],
  };
  return validateAsNew(strategy, "Cluster");
}

function attributesClassErrors(object: KubeObject): FieldError[] {
  return [
    ...provisionerErrors(textAt(object, "driverName"), "driverName"),
    ...parameterErrors(object, "may not be empty"),
  ];
}
