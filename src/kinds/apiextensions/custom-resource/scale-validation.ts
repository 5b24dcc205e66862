import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { goStringText, goText, goTypeOf } from "../../../apimachinery/go/go-text.ts";
import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const maxInt32 = 2 ** 31 - 1;

/** Which replicas are validated: those of a status update are only the ones in the status. */
export type ScaleParts = "all" | "status";

/** Validates the fields that a scale reads. Upstream: customResourceValidator.ValidateScaleSpec and ValidateScaleStatus. */
export function addScaleErrors(
  errors: Findings,
  object: JsonObject,
  scale: JsonObject | undefined,
  parts: ScaleParts,
): void {
  if (scale === undefined) return;
  if (parts === "all") addReplicasErrors(errors, object, textAt(scale, "specReplicasPath"));
  addReplicasErrors(errors, object, textAt(scale, "statusReplicasPath"));
  const selectorPath = textAt(scale, "labelSelectorPath");
  if (selectorPath === "") return;
  const selector = nestedValue(object, selectorPath, "string");
  if (selector.problem !== undefined) errors.push(fieldInvalid(selectorPath, "", selector.problem));
}

function addReplicasErrors(errors: Findings, object: JsonObject, path: string): void {
  const { value, problem } = nestedValue(object, path, "int64");
  if (problem !== undefined) {
    errors.push(fieldInvalid(path, 0, problem));
    return;
  }
  const replicas = typeof value === "number" || typeof value === "bigint" ? value : 0;
  if (replicas < 0) errors.push(fieldInvalid(path, replicas, "should be a non-negative integer"));
  else if (replicas > maxInt32) {
    errors.push(fieldInvalid(path, replicas, `should be less than or equal to ${maxInt32}`));
  }
}

/** A value at a path, or why there is none of its type. */
export interface NestedValue {
  readonly value: JsonValue | undefined;
  readonly problem: string | undefined;
}

/** The value at a path such as `.spec.replicas` (apimachinery, unstructured.NestedInt64 and NestedString). */
export function nestedValue(object: JsonObject, path: string, type: "int64" | "string"): NestedValue {
  let value: JsonValue | undefined = object;
  const names = path.replace(/^\./, "").split(".");
  for (const [i, name] of names.entries()) {
    if (!isJsonObject(value)) {
      return wrongType(names.slice(0, i + 1), value ?? null, "map[string]interface{}");
    }
    value = getKey(value, name);
    if (value === undefined) return { value: undefined, problem: undefined };
  }
  return goTypeOf(value) === type ? { value, problem: undefined } : wrongType(names, value, type);
}

function wrongType(names: readonly string[], value: JsonValue, expected: string): NestedValue {
  const shown = typeof value === "string" ? goStringText(value) : goText(value);
  const actual = goTypeOf(value) ?? "<nil>";
  const path = `.${names.join(".")}`;
  const problem = `${path} accessor error: ${shown} is of the type ${actual}, expected ${expected}`;
  return { value: undefined, problem };
}
