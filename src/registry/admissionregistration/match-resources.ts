import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../apimachinery/field.ts";
import { child, index } from "../../apimachinery/field-path.ts";
import { listAt, objectAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { labelSelectorErrors } from "../../apimachinery/label-selector-object.ts";
import { pathSegmentName } from "../../apimachinery/names.ts";
import { operationsRuleErrors } from "./rules.ts";

const matchPolicies = ["Equivalent", "Exact"];

/** What is wrong with what a policy is for: it has to say which resources, of which namespaces and with which labels. */
export function matchResourcesErrors(resources: JsonObject, field: string): FieldError[] {
  return [
    ...matchPolicyErrors(resources["matchPolicy"], child(field, "matchPolicy")),
    ...selectorErrors(resources, "namespaceSelector", field),
    ...selectorErrors(resources, "objectSelector", field),
    ...ruleErrors(resources, "resourceRules", field),
    ...ruleErrors(resources, "excludeResourceRules", field),
  ];
}

function matchPolicyErrors(policy: JsonObject[string] | undefined, field: string): FieldError[] {
  if (typeof policy !== "string") return [fieldRequired(field)];
  return matchPolicies.includes(policy) ? [] : [fieldNotSupported(field, policy, matchPolicies)];
}

function selectorErrors(resources: JsonObject, name: string, field: string): FieldError[] {
  const selector = objectAt(resources, name);
  const at = child(field, name);
  return selector === undefined ? [fieldRequired(at)] : labelSelectorErrors(selector, at);
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
