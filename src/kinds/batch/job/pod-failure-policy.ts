import {
  fieldDuplicate,
  fieldInvalid,
  fieldInvalidUnshown,
  fieldNotSupported,
  fieldRequired,
  fieldTooMany,
} from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addQualifiedName, type Findings } from "../../../apimachinery/validation/findings.ts";

const rulesMax = 20;
const exitCodesMax = 255;
const patternsMax = 20;

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const statuses = ["False", "True", "Unknown"];

/** Validates the pod failure policy. Upstream: pkg/apis/batch/validation/validation.go, validatePodFailurePolicy. */
export function addPodFailurePolicy(errors: Findings, spec: JsonObject, path: string): void {
  const rulesPath = child(path, "rules");
  const rules = listAt(spec, "podFailurePolicy", "rules");
  if (rules.length > rulesMax) errors.push(fieldTooMany(rulesPath, rules.length, rulesMax));
  for (const [position, rule] of rules.entries()) addRule(errors, spec, rule, index(rulesPath, position));
}

function addRule(errors: Findings, spec: JsonObject, rule: JsonObject, path: string): void {
  addAction(errors, spec, textAt(rule, "action"), child(path, "action"));
  const exitCodes = objectAt(rule, "onExitCodes");
  const patterns = listAt(rule, "onPodConditions");
  if (exitCodes !== undefined) addExitCodes(errors, spec, exitCodes, child(path, "onExitCodes"));
  if (patterns.length > 0) addPatterns(errors, patterns, child(path, "onPodConditions"));
  if (exitCodes !== undefined && patterns.length > 0) {
    errors.push(
      fieldInvalidUnshown(path, "specifying both OnExitCodes and OnPodConditions is not supported"),
    );
  }
  if (exitCodes === undefined && patterns.length === 0) {
    errors.push(fieldInvalidUnshown(path, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
}

function addAction(errors: Findings, spec: JsonObject, action: string, field: string): void {
  if (action === "FailIndex") {
    if (spec["backoffLimitPerIndex"] !== undefined) return;
    errors.push(fieldInvalid(field, action, "requires the backoffLimitPerIndex to be set"));
    return;
  }
  addChoice(errors, action, actions, field);
}

function addExitCodes(errors: Findings, spec: JsonObject, codes: JsonObject, path: string): void {
  addChoice(errors, textAt(codes, "operator"), operators, child(path, "operator"));
  const { containerName } = codes;
  if (containerName !== undefined && !containerNames(spec).has(containerName)) {
    const detail = "must be one of the container or initContainer names in the pod template";
    errors.push(fieldInvalid(child(path, "containerName"), containerName, detail));
  }
  addCodes(errors, codes, child(path, "values"));
}

function addCodes(errors: Findings, codes: JsonObject, path: string): void {
  const { values } = codes;
  const size = sizeAt(codes, "values");
  const shown = plainValue("[]int32", values);
  if (size === 0) errors.push(fieldInvalid(path, shown, "at least one value is required"));
  else if (size > exitCodesMax) errors.push(fieldTooMany(path, size, exitCodesMax));
  const seen = new Set<number>();
  let isOrdered = true;
  let previous = Number.NEGATIVE_INFINITY;
  for (const [position, value] of (Array.isArray(values) ? values : []).entries()) {
    const code = Number(value);
    const field = index(path, position);
    if (textAt(codes, "operator") === "In" && code === 0) {
      errors.push(fieldInvalid(field, code, "must not be 0 for the In operator"));
    }
    if (seen.has(code)) errors.push(fieldDuplicate(field, code));
    seen.add(code);
    if (previous > code) isOrdered = false;
    previous = code;
  }
  if (!isOrdered) errors.push(fieldInvalid(path, shown, "must be ordered"));
}

function addPatterns(errors: Findings, patterns: readonly JsonObject[], path: string): void {
  if (patterns.length > patternsMax) errors.push(fieldTooMany(path, patterns.length, patternsMax));
  for (const [position, pattern] of patterns.entries()) {
    const at = index(path, position);
    addQualifiedName(errors, textAt(pattern, "type"), child(at, "type"));
    addChoice(errors, textAt(pattern, "status"), statuses, child(at, "status"));
  }
}

function addChoice(errors: Findings, value: string, choices: readonly string[], field: string): void {
  if (value === "") errors.push(fieldRequired(field, `valid values: [${choices.map(goQuote).join(" ")}]`));
  else if (!choices.includes(value)) errors.push(fieldNotSupported(field, value, choices));
}

function containerNames(spec: JsonObject): ReadonlySet<JsonValue | undefined> {
  const lists = ["containers", "initContainers"].map((list) => listAt(spec, "template", "spec", list));
  return new Set(lists.flat().map((container) => valueAt(container, "name")));
}
