import {
  type FieldError,
  fieldForbidden,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addUnlessIn, type Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

const policies = ["Always", "Never", "OnFailure"];
const operators = ["In", "NotIn"];
const maxRules = 20;
const maxExitCodes = 255;

/** Validates the restart policy and the restart rules of a container. */
export function addRestartPolicy(
  errors: Findings,
  container: JsonObject,
  path: string,
  sort: "init" | "regular",
  gates: FeatureGates,
): void {
  const field = child(path, "restartPolicy");
  const { restartPolicy } = container;
  if (gates.isEnabled("ContainerRestartRules")) addPolicyAndRules(errors, container, path, gates);
  else if (restartPolicy === undefined) return;
  else if (sort === "init") addUnlessIn(errors, ["Always"], restartPolicy, field);
  else errors.push(fieldForbidden(field, "may not be set for non-init containers"));
}

function addPolicyAndRules(errors: Findings, container: JsonObject, path: string, gates: FeatureGates): void {
  const field = child(path, "restartPolicy");
  const rulesField = child(path, "restartPolicyRules");
  const rules = listAt(container, "restartPolicyRules");
  if (container["restartPolicy"] === undefined) {
    if (rules.length === 0) return;
    errors.push(fieldRequired(field, "must specify restartPolicy when restart rules are used"));
  } else addUnlessIn(errors, policies, container["restartPolicy"], field);
  if (rules.length > maxRules) errors.push(tooMany(rulesField, rules.length, maxRules, gates));
  rules.forEach((rule, i) => {
    addRule(errors, rule, index(rulesField, i), gates);
  });
}

function addRule(errors: Findings, rule: JsonObject, path: string, gates: FeatureGates): void {
  const action = rule["action"] ?? "";
  const all = gates.isEnabled("RestartAllContainersOnContainerExits") ? ["RestartAllContainers"] : [];
  addUnlessIn(errors, ["Restart", ...all], action, child(path, "action"));
  const exitCodes = objectAt(rule, "exitCodes");
  const field = child(path, "exitCodes");
  if (exitCodes === undefined) {
    errors.push(fieldRequired(field, "must be specified"));
    return;
  }
  const operator = exitCodes["operator"] ?? "";
  if (!operators.some((known) => known === operator)) {
    errors.push(fieldNotSupported(child(field, "operator"), operator, operators));
  }
  const count = sizeAt(exitCodes, "values");
  if (count > maxExitCodes) errors.push(tooMany(child(field, "values"), count, maxExitCodes, gates));
}

/** Releases before 1.36 report TooLong instead of TooMany. */
function tooMany(field: string, count: number, most: number, { since }: FeatureGates): FieldError {
  return since("1.36") ? fieldTooMany(field, count, most) : fieldTooLong(field, most);
}
