import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import { nodeLabelDeprecation } from "../../pod-spec/warnings/node-label-warnings.ts";
import { addStorageClassErrors, addStorageClassUpdateErrors } from "./storage-class-validation.ts";

/** The strategy of StorageClasses, most of whose fields are immutable. */
export function storageClassStrategy(base: Strategy): Strategy {
  const strategy: Strategy = {
    ...base,
    validate: addStorageClassErrors,
    warningsOnCreate: topologyWarnings,
    validateUpdate: addStorageClassUpdateErrors,
    warningsOnUpdate: topologyWarnings,
  };
  return validateAsNew(strategy, "Cluster");
}

function topologyWarnings(object: KubeObject): readonly string[] {
  return listAt(object, "allowedTopologies").flatMap((term, i) => {
    const field = child(index("allowedTopologies", i), "matchLabelExpressions");
    return listAt(term, "matchLabelExpressions").flatMap((expression, j) => {
      const deprecation = nodeLabelDeprecation(textAt(expression, "key"));
      return deprecation === undefined ? [] : [`${child(index(field, j), "key")}: ${deprecation}`];
    });
  });
}
