import { child, index } from "../../apimachinery/field-path.ts";
import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { checkedAnew } from "../checked-anew.ts";
import { nodeLabelDeprecation } from "../core/pod-warnings/node-label-warnings.ts";
import type { Strategy } from "../strategy.ts";
import { storageClassErrors, storageClassUpdateErrors } from "./storage-class-validation.ts";

/** Classes say how volumes are made; what has been made by one is as it was then. */
export function storageClassStrategy(base: Strategy): Strategy {
  const strategy: Strategy = {
    ...base,
    validate: storageClassErrors,
    warningsOnCreate: topologyWarnings,
    validateUpdate: storageClassUpdateErrors,
    warningsOnUpdate: topologyWarnings,
  };
  return checkedAnew(strategy, false);
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
