import { fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import {
  type CompiledRule,
  compileRules,
  type RuleEnvironment,
} from "../../../schema/structural/rules/compiled-rules.ts";
import type { SchemaRules } from "./schema-place.ts";
import { propertiesToCheck } from "./schemas-within.ts";

/** What one expression, and all expressions of a schema, may cost at most. */
const expressionLimit = 10_000_000;
const schemaLimit = 100_000_000;
const mostNamed = 4;

/** Where a schema stands, for its rules. */
interface RulePlace {
  readonly path: string;
  readonly isRoot: boolean;
  /** How many values of the schema an object can have; undefined if the schema does not bound them. */
  readonly cardinality: number | undefined;
  /** The list or map within which old and new values cannot be told from others. */
  readonly uncorrelatable: string | undefined;
}

/** What the rules of a schema cost together, and which cost most. */
class TotalCost {
  total = 0;
  readonly #expensive: { readonly field: string; readonly cost: number }[] = [];

  add(field: string, cost: number): void {
    this.total += cost;
    if (cost >= schemaLimit / 100) this.#expensive.push({ field, cost });
  }

  get expensive(): readonly string[] {
    const sorted = this.#expensive.toSorted((a, b) => b.cost - a.cost);
    return sorted.slice(0, mostNamed).map(({ field }) => field);
  }
}

/**
 * Compiles the rules of a schema and adds what is wrong with them: errors of compilation, and costs beyond the limits.
 * Upstream: ValidateCustomResourceDefinitionOpenAPISchema and cel_validation.go.
 */
export function addRuleDefinitionErrors(
  errors: Findings,
  schema: JsonObject,
  rules: SchemaRules,
  path: string,
): void {
  const { release, storedExpressions } = rules;
  const environment: RuleEnvironment = { release, isStored: (text) => storedExpressions.has(text) };
  const total = new TotalCost();
  const place: RulePlace = { path, isRoot: true, cardinality: 1, uncorrelatable: undefined };
  addErrorsWithin(errors, schema, place, environment, total);
  if (total.total <= schemaLimit) return;
  for (const field of total.expensive) {
    const detail =
      "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    errors.push(fieldForbidden(field, detail));
  }
  const subject = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
  errors.push(fieldForbidden(path, costMessage(subject, total.total, schemaLimit)));
}

/** The rules of the parts come before those of the whole. */
function addErrorsWithin(
  errors: Findings,
  schema: JsonObject,
  place: RulePlace,
  environment: RuleEnvironment,
  total: TotalCost,
): void {
  for (const [part, at] of partsOf(schema, place)) addErrorsWithin(errors, part, at, environment, total);
  const isObject = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  const compiled = compileRules(schema, isObject ? "root" : "part", environment) ?? [];
  for (const [i, rule] of compiled.entries()) {
    addErrorsOfRule(errors, rule, index(child(place.path, "x-kubernetes-validations"), i), place, total);
  }
}

type Part = readonly [schema: JsonObject, place: RulePlace];

function partsOf(schema: JsonObject, { path, cardinality, uncorrelatable }: RulePlace): readonly Part[] {
  const parts: Part[] = [];
  const additional = schema["additionalProperties"];
  const { items } = schema;
  const within = (name: string, bound: JsonValue | undefined, barrier: string | undefined): RulePlace => ({
    path: name,
    isRoot: false,
    cardinality: typeof bound === "number" && cardinality !== undefined ? cardinality * bound : undefined,
    uncorrelatable: uncorrelatable ?? barrier,
  });
  const atomicMap = schema["x-kubernetes-map-type"] === "atomic" ? path : undefined;
  if (isJsonObject(additional)) {
    const at = child(path, "additionalProperties");
    parts.push([additional, within(at, schema["maxProperties"], undefined)]);
  }
  for (const [name, property] of propertiesToCheck(schema)) {
    parts.push([property, within(key(child(path, "properties"), name), 1, atomicMap)]);
  }
  const list = schema["x-kubernetes-list-type"] === "map" ? undefined : path;
  if (isJsonObject(items)) parts.push([items, within(child(path, "items"), schema["maxItems"], list)]);
  return parts;
}

function addErrorsOfRule(
  errors: Findings,
  rule: CompiledRule,
  at: string,
  { cardinality, uncorrelatable }: RulePlace,
  total: TotalCost,
): void {
  const { source, message, problem, maxCost, maxCardinality } = rule;
  const field = child(at, "rule");
  const shown = plainValue("apiextensions.ValidationRule", source);
  addCostErrors(errors, field, "estimated rule cost", maxCost * (cardinality ?? maxCardinality), total);
  if (problem !== undefined) errors.push(fieldInvalid(field, shown, problem));
  if (message !== undefined) {
    const messageField = child(at, "messageExpression");
    if (message.problem !== undefined) errors.push(fieldInvalid(messageField, shown, message.problem));
    else addCostErrors(errors, messageField, "estimated messageExpression cost", message.maxCost, total);
  }
  if (rule.usesOldSelf) {
    if (uncorrelatable === undefined) return;
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    errors.push(fieldInvalid(field, source["rule"] ?? "", detail));
  } else if (typeof source["optionalOldSelf"] === "boolean" && problem === undefined) {
    const detail = "may not be set if oldSelf is not used in rule";
    errors.push(fieldInvalid(child(at, "optionalOldSelf"), source["optionalOldSelf"], detail));
  }
}

function addCostErrors(
  errors: Findings,
  field: string,
  subject: string,
  cost: number,
  total: TotalCost,
): void {
  if (cost > expressionLimit) errors.push(fieldForbidden(field, costMessage(subject, cost, expressionLimit)));
  total.add(field, cost);
}

/** Upstream: getCostErrorMessage. */
function costMessage(subject: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const hint =
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
  return `${subject} exceeds budget by factor of ${factorText(factor)} ${hint}`;
}

function factorText(factor: number): string {
  if (factor > 100) return "more than 100x";
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}
