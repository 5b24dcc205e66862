import type { JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compileExpression } from "../../cel/evaluate.ts";
import { parseJq } from "./jq-query.ts";
import type { StageFields } from "./stage-fields.ts";

const operators = ["In", "NotIn", "Exists", "DoesNotExist"] as const;

const expressionFields = ["key", "operator", "values"];

/** Whether a stage is for an object (KWOK, pkg/utils/expression/selector.go). Without a selector, it is for none. @throws {Error} for a query that is not supported */
export function stageSelector(spec: StageFields): (object: KubeObject) => boolean {
  const selector = spec.object("selector", ["matchLabels", "matchAnnotations", "matchExpressions"]);
  if (selector === undefined) return () => false;
  const labels = selector.map("matchLabels");
  const annotations = selector.map("matchAnnotations");
  const expressions = selector
    .objects("matchExpressions", [...expressionFields, "jq", "cel"])
    .map(expression);
  return (object) =>
    hasAll(object.metadata.labels, labels) &&
    hasAll(object.metadata.annotations, annotations) &&
    expressions.every((matches) => matches(object));
}

function expression(fields: StageFields): (object: KubeObject) => boolean {
  const cel = fields.object("cel", ["expression"]);
  if (cel !== undefined) return celExpression(cel);
  const given = fields.object("jq", expressionFields) ?? fields;
  const query = given.within("key", () => parseJq(given.text("key")));
  const operator = given.choice("operator", operators, "In");
  const values = new Set(given.texts("values"));
  const needsValues = operator === "In" || operator === "NotIn";
  if (needsValues !== values.size > 0)
    throw new Error(`${given.at("values")}: ${operator} needs ${needsValues ? "values" : "no values"}`);
  if (operator === "Exists") return (object) => query(object).length > 0;
  if (operator === "DoesNotExist") return (object) => query(object).length === 0;
  return (object) => query(object).some((value) => isOneOf(value, values)) === (operator === "In");
}

/** An expression about `self`. One that fails, such as by a field that is not there, does not match. */
function celExpression(fields: StageFields): (object: KubeObject) => boolean {
  const expression = fields.within("expression", () => compileExpression(fields.text("expression")));
  return (object) => {
    try {
      return expression.evaluate({ self: object }).value === true;
    } catch {
      return false;
    }
  };
}

/** Numbers of an object are floats in Go, which KWOK compares with nothing. */
function isOneOf(value: JsonValue, values: ReadonlySet<string>): boolean {
  return (typeof value === "string" || typeof value === "boolean") && values.has(String(value));
}

function hasAll(
  values: { readonly [key: string]: string } | undefined,
  wanted: readonly (readonly [key: string, value: string])[],
): boolean {
  return wanted.every(
    ([key, value]) => values !== undefined && Object.hasOwn(values, key) && values[key] === value,
  );
}
