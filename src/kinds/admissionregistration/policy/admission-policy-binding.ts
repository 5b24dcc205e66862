import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { goSlice, goText, typedValue } from "../../../apimachinery/go/go-type.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { validateObjectMeta } from "../../../apimachinery/validation/object-meta-validation.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { matchResourcesErrors } from "../matching/match-resources.ts";
import { mutableOperationErrors } from "./mutating-admission-policy.ts";
import { paramRefErrors } from "./policy-parameters.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };
const actions = ["Audit", "Deny", "Warn"];
const actionsField = "spec.validationActions";
const goActions = goSlice("admissionregistration.ValidationAction", goText);
// Upstream spells it so.
const resourcesField = "spec.matchResouces";

/** Bindings put a policy in force, and say what becomes of objects that it refuses. */
export function validatingAdmissionPolicyBindingStrategy(base: Strategy): Strategy {
  return binding(base, (object) => {
    const spec = structAt(object, "spec");
    return [...bindingErrors(spec), ...actionErrors(textsAt(spec, "validationActions"))];
  });
}

/** Bindings put a policy in force that changes objects. */
export function mutatingAdmissionPolicyBindingStrategy(base: Strategy): Strategy {
  return binding(base, (object) => {
    const spec = structAt(object, "spec");
    const resources = objectAt(spec, "matchResources") ?? {};
    return [...bindingErrors(spec), ...mutableOperationErrors(resources, resourcesField)];
  });
}

function binding(base: Strategy, errorsOf: (object: KubeObject) => FieldError[]): Strategy {
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "library", update: "own" },
    validate: errorsOf,
    validateUpdate: (object) => [...validateObjectMeta(object.metadata, metadataRules), ...errorsOf(object)],
  };
}

function bindingErrors(spec: JsonObject): FieldError[] {
  const paramRef = objectAt(spec, "paramRef");
  const resources = objectAt(spec, "matchResources");
  return [
    ...policyNameErrors(textAt(spec, "policyName"), "spec.policyName"),
    ...(paramRef === undefined ? [] : paramRefErrors(paramRef, "spec.paramRef")),
    ...(resources === undefined ? [] : matchResourcesErrors(resources, resourcesField)),
  ];
}

function policyNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [fieldRequired(field)];
  return dnsSubdomainMessages(name).map((message) => fieldInvalid(field, name, message));
}

function actionErrors(chosen: readonly string[]): FieldError[] {
  const errors = chosen.flatMap((action, i) => {
    const at = index(actionsField, i);
    return [
      ...(actions.includes(action) ? [] : [fieldNotSupported(at, action, actions)]),
      ...(chosen.indexOf(action) < i ? [fieldDuplicate(at, action)] : []),
    ];
  });
  if (chosen.includes("Deny") && chosen.includes("Warn")) {
    const detail =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(fieldInvalid(actionsField, typedValue(goActions, chosen), detail));
  }
  if (chosen.length > 0) return errors;
  return [...errors, fieldRequired(actionsField, "at least one validation action is required")];
}
