import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { flowConditionErrors } from "../flow-control/flow-condition-validation.ts";
import { catchAllSpec } from "../flow-control/mandatory-specs.ts";
import { limitedErrors, sharesAndLendingErrors } from "./limited-validation.ts";

/** Upstream: pkg/apis/flowcontrol/validation/validation.go, ValidatePriorityLevelConfiguration. */
export function priorityLevelConfigurationErrors(object: KubeObject): FieldError[] {
  const { name = "" } = object.metadata;
  const spec = structAt(object, "spec");
  return [
    ...typeErrors(spec, name),
    ...variantErrors(spec),
    ...fixedErrors(spec, name),
    ...flowConditionErrors(object),
  ];
}

function typeErrors(spec: JsonObject, name: string): FieldError[] {
  const type = textAt(spec, "type");
  if ((name === "exempt") === (type === "Exempt")) return [];
  return [fieldInvalid("spec.type", type, "type must be 'Exempt' if and only if name is 'exempt'")];
}

function variantErrors(spec: JsonObject): FieldError[] {
  const limited = objectAt(spec, "limited");
  const exempt = objectAt(spec, "exempt");
  const type = textAt(spec, "type");
  if (type === "Exempt") {
    return [
      ...(limited === undefined
        ? []
        : [fieldForbidden("spec.limited", "must be nil if the type is not Limited")]),
      ...(exempt === undefined ? [] : sharesAndLendingErrors(exempt, "spec.exempt")),
    ];
  }
  if (type !== "Limited") return [fieldNotSupported("spec.type", type, ["Exempt", "Limited"])];
  return [
    ...(exempt === undefined ? [] : [fieldForbidden("spec.exempt", "must be nil if the type is Limited")]),
    ...(limited === undefined
      ? [fieldRequired("spec.limited", "must not be empty when type is Limited")]
      : limitedErrors(limited, "spec.limited")),
  ];
}

/** The spec of `catch-all` is fixed. Of the spec of `exempt`, only the field `exempt` may change. */
function fixedErrors(spec: JsonObject, name: string): FieldError[] {
  const shown = typedValue("flowcontrol.PriorityLevelConfigurationSpec", spec);
  if (name === "exempt") {
    if (textAt(spec, "type") === "Exempt" && spec["limited"] === undefined) return [];
    const detail = `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`;
    return [fieldInvalid("spec", shown, detail)];
  }
  if (name !== "catch-all" || jsonEqual(spec, catchAllSpec)) return [];
  return [fieldInvalid("spec", shown, `spec of '${name}' must equal the fixed value`)];
}
