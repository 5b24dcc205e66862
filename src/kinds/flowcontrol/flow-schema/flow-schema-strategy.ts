import type { FieldError } from "../../../apimachinery/errors/field.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { flowConditionErrors } from "../flow-control/flow-condition-validation.ts";
import { flowSchemaSpecErrors } from "./flow-schema-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** The main endpoint of FlowSchemas. */
export function flowSchemaStrategy(base: Strategy): Strategy {
  return withGeneration(
    {
      ...base,
      metadataChecks: { create: "core", update: "own" },
      validate: flowSchemaErrors,
      validateUpdate: (object) => [...metadataErrors(object, metadataRules), ...flowSchemaErrors(object)],
    },
    changed("spec"),
  );
}

/** `/status` holds the conditions, such as Dangling. */
export function flowSchemaStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    metadataChecks: base.metadataChecks,
    validateUpdate: flowConditionErrors,
  };
}

function flowSchemaErrors(object: KubeObject): FieldError[] {
  return [...flowSchemaSpecErrors(object), ...flowConditionErrors(object)];
}
