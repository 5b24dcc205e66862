import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
} from "../../../apimachinery/errors/field.ts";
import { listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { operationsRuleErrors } from "./rule-with-operations-validation.ts";

const matchPolicies = ["Equivalent", "Exact"];

/** Validates the MatchResources of a policy or binding. Upstream: validateMatchResources. */
export function matchResourcesErrors(resources: JsonObject, field: string): FieldError[] {
  return [
    ...matchPolicyErrors(textAt(resources, "matchPolicy"), child(field, "matchPolicy")),
    ...labelSelectorErrors(resources["namespaceSelector"], child(field, "namespaceSelector")),
    ...labelSelectorErrors(resources["objectSelector"], child(field, "objectSelector")),
    ...ruleErrors(resources, "resourceRules", field),
    ...ruleErrors(resources, "excludeResourceRules", field),
  ];
}

function matchPolicyErrors(policy: string, field: string): FieldError[] {
  return matchPolicies.includes(policy) ? [] : [fieldNotSupported(field, policy, matchPolicies)];
}

function ruleErrors(resources: JsonObject, name: string, field: string): FieldError[] {
  return listAt(resources, name).flatMap((rule, i) => {
    const at = index(child(field, name), i);
    return [
      ...resourceNameErrors(textsAt(rule, "resourceNames"), child(at, "resourceNames")),
      ...operationsRuleErrors(rule, at),
    ];
  });
}

function resourceNameErrors(names: readonly string[], field: string): FieldError[] {
  return names.flatMap((name, i) => {
    const at = index(field, i);
    const errors = pathSegmentName(name, false).map((message) => fieldInvalid(at, name, message));
    return names.indexOf(name) < i ? [...errors, fieldDuplicate(at, name)] : errors;
  });
}
