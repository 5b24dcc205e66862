import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addFlowConditionErrors } from "../flow-control/flow-condition-validation.ts";
import { catchAllSpec } from "../flow-control/mandatory-specs.ts";
import { addLimitedErrors, addSharesAndLendingErrors, type LeastShares } from "./limited-validation.ts";

/** Upstream: pkg/apis/flowcontrol/validation/validation.go, ValidatePriorityLevelConfiguration. */
export function addPriorityLevelConfigurationErrors(
  errors: Findings,
  object: KubeObject,
  least: LeastShares,
): void {
  const { name = "" } = object.metadata;
  const spec = structAt(object, "spec");
  addTypeErrors(errors, spec, name);
  addVariantErrors(errors, spec, least);
  addFixedErrors(errors, spec, name);
  addFlowConditionErrors(errors, object);
}

function addTypeErrors(errors: Findings, spec: JsonObject, name: string): void {
  const type = textAt(spec, "type");
  if ((name === "exempt") === (type === "Exempt")) return;
  errors.push(fieldInvalid("spec.type", type, "type must be 'Exempt' if and only if name is 'exempt'"));
}

function addVariantErrors(errors: Findings, spec: JsonObject, least: LeastShares): void {
  const limited = objectAt(spec, "limited");
  const exempt = objectAt(spec, "exempt");
  const type = textAt(spec, "type");
  if (type === "Exempt") {
    if (limited !== undefined) {
      errors.push(fieldForbidden("spec.limited", "must be nil if the type is not Limited"));
    }
    if (exempt !== undefined) addSharesAndLendingErrors(errors, exempt, "spec.exempt");
  } else if (type !== "Limited") errors.push(fieldNotSupported("spec.type", type, ["Exempt", "Limited"]));
  else {
    if (exempt !== undefined) {
      errors.push(fieldForbidden("spec.exempt", "must be nil if the type is Limited"));
    }
    if (limited === undefined) {
      errors.push(fieldRequired("spec.limited", "must not be empty when type is Limited"));
    } else addLimitedErrors(errors, limited, "spec.limited", least);
  }
}

/** The spec of `catch-all` is fixed. Of the spec of `exempt`, only the field `exempt` may change. */
function addFixedErrors(errors: Findings, spec: JsonObject, name: string): void {
  const shown = typedValue("flowcontrol.PriorityLevelConfigurationSpec", spec);
  if (name === "exempt") {
    if (textAt(spec, "type") === "Exempt" && spec["limited"] === undefined) return;
    const detail = `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`;
    errors.push(fieldInvalid("spec", shown, detail));
    return;
  }
  if (name !== "catch-all" || jsonEqual(spec, catchAllSpec)) return;
  errors.push(fieldInvalid("spec", shown, `spec of '${name}' must equal the fixed value`));
}
