import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addFlowConditionErrors } from "../flow-control/flow-condition-validation.ts";
import { addFlowSchemaSpecErrors } from "./flow-schema-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** The main endpoint of FlowSchemas. */
export function flowSchemaStrategy(base: Strategy): Strategy {
  return withGeneration(
    {
      ...base,
      metadataChecks: { create: "core", update: "own" },
      validate: addFlowSchemaErrors,
      validateUpdate: (errors, object) => {
        addMetadataErrors(errors, object, metadataRules);
        addFlowSchemaErrors(errors, object);
      },
    },
    changed("spec"),
  );
}

/** `/status` holds the conditions, such as Dangling. */
export function flowSchemaStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    metadataChecks: base.metadataChecks,
    validateUpdate: addFlowConditionErrors,
  };
}

function addFlowSchemaErrors(errors: Findings, object: KubeObject): void {
  addFlowSchemaSpecErrors(errors, object);
  addFlowConditionErrors(errors, object);
}
