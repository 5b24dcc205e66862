import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { merge, report, type ValueResult } from "./value-result.ts";
import type { Combinations, ValueSchema } from "./value-schema.ts";

/** Checks the value against an alternative. */
type Check = (alternative: ValueSchema) => ValueResult;

/**
 * Adds the errors of `anyOf`, `oneOf`, `allOf` and `not`, in this order. Upstream: kube-openapi,
 * pkg/validation/validate/schema_props.go.
 */
export function addCombinations(
  result: ValueResult,
  { anyOf, oneOf, allOf, not }: Combinations,
  check: Check,
  path: string,
): void {
  addAnyOf(result, anyOf, check, path);
  addOneOf(result, oneOf, check, path);
  addAllOf(result, allOf, check, path);
  if (not !== undefined && check(not).errors.length === 0) {
    add(result, path, "must not validate the schema (not)");
  }
}

/** Upstream gives these errors no field. */
function add(result: ValueResult, path: string, text: string): void {
  report(result, fieldInvalid("<nil>", "", `${goQuote(path)} ${text}`));
}

function addAnyOf(
  result: ValueResult,
  alternatives: readonly ValueSchema[],
  check: Check,
  path: string,
): void {
  if (alternatives.length === 0) return;
  const results = alternatives.map(check);
  if (results.some(({ errors }) => errors.length === 0)) return;
  add(result, path, "must validate at least one schema (anyOf)");
  mergeClosest(result, results);
}

function addOneOf(
  result: ValueResult,
  alternatives: readonly ValueSchema[],
  check: Check,
  path: string,
): void {
  if (alternatives.length === 0) return;
  const results = alternatives.map(check);
  const valid = results.filter(({ errors }) => errors.length === 0).length;
  if (valid === 1) return;
  const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
  add(result, path, `must validate one and only one schema (oneOf). ${found}`);
  if (valid === 0) mergeClosest(result, results);
}

function addAllOf(
  result: ValueResult,
  alternatives: readonly ValueSchema[],
  check: Check,
  path: string,
): void {
  const results = alternatives.map(check);
  const valid = results.filter(({ errors }) => errors.length === 0).length;
  for (const one of results) merge(result, one);
  if (valid === results.length) return;
  add(result, path, `must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
}

/** The failed alternative that got furthest. */
function mergeClosest(result: ValueResult, results: readonly ValueResult[]): void {
  let [closest] = results;
  for (const one of results) if (closest !== undefined && one.checks > closest.checks) closest = one;
  if (closest !== undefined) merge(result, closest);
}
