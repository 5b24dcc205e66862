import { fieldInvalid, fieldTooLong } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addDataKeyErrors,
  addImmutabilityErrors,
  base64Size,
  maxDataSize,
  withImmutability,
} from "../config-data/config-data.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

/** The strategy of ConfigMaps. Upstream: pkg/registry/core/configmap/strategy.go. */
export function configMapStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withImmutability(base, gates),
    validate: addConfigMapErrors,
    validateUpdate: (errors, object, old) => {
      addImmutabilityErrors(errors, object, old, ["data", "binaryData"]);
      addMetadataErrors(errors, object, metadataRules);
      addConfigMapErrors(errors, object);
    },
  };
}

function addConfigMapErrors(errors: Findings, object: KubeObject): void {
  const data = objectAt(object, "data") ?? {};
  const binaryData = objectAt(object, "binaryData") ?? {};
  let size = 0;
  for (const name of Object.keys(data)) {
    addDataKeyErrors(errors, name, "data");
    if (Object.hasOwn(binaryData, name)) {
      errors.push(fieldInvalid(key("data", name), name, "duplicate of key present in binaryData"));
    }
    size += utf8Length(textAt(data, name));
  }
  for (const name of Object.keys(binaryData)) {
    addDataKeyErrors(errors, name, "binaryData");
    size += base64Size(textAt(binaryData, name));
  }
  // Upstream reports the size for the whole object, whose path prints as an empty index.
  if (size > maxDataSize) errors.push(fieldTooLong("[]", maxDataSize));
}
