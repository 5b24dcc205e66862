import { fieldForbidden } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { addParameterErrors, addProvisionerErrors } from "../provisioner/provisioner-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** The strategy of VolumeAttributesClasses, which are immutable. */
export function volumeAttributesClassStrategy(base: Strategy): Strategy {
  const strategy: Strategy = {
    ...base,
    validate: addAttributesClassErrors,
    validateUpdate: (errors, object, old) => {
      for (const field of ["driverName", "parameters"]) {
        if (jsonEqual(object[field], old[field])) continue;
        errors.push(fieldForbidden(field, `updates to ${field} are forbidden.`));
      }
      addMetadataErrors(errors, object, metadataRules);
      addAttributesClassErrors(errors, object);
    },
  };
  return validateAsNew(strategy, "Cluster");
}

function addAttributesClassErrors(errors: Findings, object: KubeObject): void {
  addProvisionerErrors(errors, textAt(object, "driverName"), "driverName");
  addParameterErrors(errors, object, "may not be empty");
}
