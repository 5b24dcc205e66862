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
  const failed: ValueResult[] = [];
  for (const alternative of alternatives) {
    const one = check(alternative);
    if (one.errors.length === 0) {
      merge(result, one);
      return;
    }
    failed.push(one);
  }
  add(result, path, "must validate at least one schema (anyOf)");
  mergeClosest(result, failed);
}

function addOneOf(
  result: ValueResult,
  alternatives: readonly ValueSchema[],
  check: Check,
  path: string,
): void {
  if (alternatives.length === 0) return;
  const results = alternatives.map(check);
  const [first, ...others] = results.filter(({ errors }) => errors.length === 0);
  if (first !== undefined && others.length === 0) {
    merge(result, first);
    return;
  }
  const found = first === undefined ? "Found none valid" : `Found ${others.length + 1} valid alternatives`;
  add(result, path, `must validate one and only one schema (oneOf). ${found}`);
  if (first === undefined) mergeClosest(result, results);
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
