import { fieldDuplicate, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import { parseIntProblem } from "../../../apimachinery/go/parse-int.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { checkedOnce } from "../../../apimachinery/validation/checked-once.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addQualifiedName, addUnlessIn, type Findings } from "../../../apimachinery/validation/findings.ts";
import { labelValueMessages } from "../../../apimachinery/validation/qualified-names.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import { comparisonOperators, isComparison, tolerationOperators } from "./toleration-operators.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** What the operators of tolerations depend on. */
export type TolerationRules = Pick<PodValidationOptions, "allowsComparisons" | "gates">;

/** Validates the tolerations of a pod. */
export const addTolerations: (
  errors: Findings,
  tolerations: readonly JsonObject[],
  path: string,
  rules: TolerationRules,
) => void = checkedOnce(
  (errors, tolerations: readonly JsonObject[], path, rules: TolerationRules) => {
    tolerations.forEach((toleration, i) => {
      addToleration(errors, toleration, index(path, i), rules);
    });
  },
  ({ allowsComparisons, gates }) => [allowsComparisons, gates],
);

function addToleration(errors: Findings, toleration: JsonObject, at: string, rules: TolerationRules): void {
  const key = textAt(toleration, "key");
  const operator = textAt(toleration, "operator");
  const effect = textAt(toleration, "effect");
  if (key !== "") addQualifiedName(errors, key, child(at, "key"));
  else if (operator !== "Exists") {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(fieldInvalid(child(at, "operator"), operator, detail));
  }
  if (toleration["tolerationSeconds"] !== undefined && effect !== "NoExecute") {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(fieldInvalid(child(at, "effect"), effect, detail));
  }
  if (isComparison(toleration)) addComparison(errors, toleration, at, rules);
  else addTolerationValue(errors, operator, textAt(toleration, "value"), child(at, "operator"));
  if (effect !== "") addUnlessIn(errors, effects, effect, child(at, "effect"));
}

/** The toleration and the taint are integers. Upstream lists the operators even if their gate is off. */
function addComparison(errors: Findings, toleration: JsonObject, at: string, rules: TolerationRules): void {
  if (!rules.allowsComparisons) {
    const supported = rules.gates.since("1.35")
      ? [...tolerationOperators, ...comparisonOperators]
      : tolerationOperators;
    errors.push(fieldNotSupported(child(at, "operator"), textAt(toleration, "operator"), supported));
    return;
  }
  const value = textAt(toleration, "value");
  const problems = [decimalProblem(value), parseIntProblem(value)];
  for (const problem of problems) {
    if (problem !== undefined) errors.push(fieldInvalid(child(at, "value"), value, problem));
  }
}

/** Upstream: apimachinery, pkg/api/validate/content/decimal_int.go. */
function decimalProblem(value: string): string | undefined {
  if (value === "") return "must be non-empty";
  return /^(0|-?[1-9][0-9]*)$/.test(value) ? undefined : "must be a valid decimal integer in canonical form";
}

/** Upstream's path for value errors is that of the operator. */
function addTolerationValue(errors: Findings, operator: string, value: string, field: string): void {
  switch (operator) {
    case "":
    case "Equal": {
      const messages = labelValueMessages(value);
      if (messages.length > 0) errors.push(fieldInvalid(field, value, messages.join(";")));
      return;
    }
    case "Exists":
      if (value === "") return;
      errors.push(fieldInvalid(field, value, "value must be empty when `operator` is 'Exists'"));
      return;
    default:
      addUnlessIn(errors, tolerationOperators, operator, field);
  }
}

/** Validates the readiness gates. */
export function addReadinessGates(errors: Findings, spec: JsonObject, path: string): void {
  listAt(spec, "readinessGates").forEach((gate, i) => {
    addQualifiedName(errors, textAt(gate, "conditionType"), child(index(path, i), "conditionType"));
  });
}

/** Validates the scheduling gates. */
export function addSchedulingGates(errors: Findings, spec: JsonObject, path: string): void {
  const names = new Set<string>();
  listAt(spec, "schedulingGates").forEach((gate, i) => {
    const name = textAt(gate, "name");
    addQualifiedName(errors, name, index(path, i));
    if (names.has(name)) errors.push(fieldDuplicate(index(path, i), name));
    names.add(name);
  });
}
