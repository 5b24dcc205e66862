import { fieldDuplicate, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { addLabelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { addOperationsRuleErrors } from "./rule-with-operations-validation.ts";

const matchPolicies = ["Equivalent", "Exact"];

/** Validates the MatchResources of a policy or binding. Upstream: validateMatchResources. */
export function addMatchResourcesErrors(errors: Findings, resources: JsonObject, field: string): void {
  addMatchPolicyErrors(errors, textAt(resources, "matchPolicy"), child(field, "matchPolicy"));
  addLabelSelectorErrors(errors, resources["namespaceSelector"], child(field, "namespaceSelector"));
  addLabelSelectorErrors(errors, resources["objectSelector"], child(field, "objectSelector"));
  addRuleErrors(errors, resources, "resourceRules", field);
  addRuleErrors(errors, resources, "excludeResourceRules", field);
}

function addMatchPolicyErrors(errors: Findings, policy: string, field: string): void {
  if (!matchPolicies.includes(policy)) errors.push(fieldNotSupported(field, policy, matchPolicies));
}

function addRuleErrors(errors: Findings, resources: JsonObject, name: string, field: string): void {
  for (const [i, rule] of listAt(resources, name).entries()) {
    const at = index(child(field, name), i);
    addResourceNameErrors(errors, textsAt(rule, "resourceNames"), child(at, "resourceNames"));
    addOperationsRuleErrors(errors, rule, at);
  }
}

function addResourceNameErrors(errors: Findings, names: readonly string[], field: string): void {
  const isRepeated = repeats(names);
  for (const [i, name] of names.entries()) {
    const at = index(field, i);
    addInvalid(errors, at, name, pathSegmentName(name, "name"));
    if (isRepeated[i]) errors.push(fieldDuplicate(at, name));
  }
}
