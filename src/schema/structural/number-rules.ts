import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { goFloat } from "../../apimachinery/go/go-value.ts";
import { report, type ValueResult } from "./value-result.ts";
import type { ValueSchema } from "./value-schema.ts";

/** How far a number may be from an integer, relative to their sum. Source: go-openapi, swag/convert.go (epsilon). */
const tolerance = 1e-9;

/** Whether Go's reader of JSON makes an int64 of a number: the others are a float64. */
export function isInt64(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** Whether a float64 counts as an integer. Upstream: go-openapi, swag/convert.go, IsFloat64AJSONInteger. */
function isWhole(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const below = Math.trunc(value);
  return below > 0 && (value - below) / (value + below) < tolerance;
}

/** Whether a value of the type `integer` may be this number. */
export function isInteger(value: number | bigint): boolean {
  return isInt64(value) || isWhole(Number(value));
}

/**
 * Adds the errors of a number. The bounds of an int64 are int64s: they lose their fractions. Upstream: kube-openapi,
 * pkg/validation/validate/values.go, MaximumNativeType, MinimumNativeType and MultipleOfNativeType.
 */
export function addNumberErrors(
  result: ValueResult,
  schema: ValueSchema,
  value: number | bigint,
  path: string,
): void {
  result.checks += 2;
  const native = isInt64(value) ? toInt64 : (bound: number) => bound;
  const add = (rule: string, bound: number | bigint) =>
    report(result, fieldInvalid(path, value, `${path} in body should be ${rule} ${textOf(bound)}`));
  if (schema.multipleOf !== undefined) addMultipleError(result, native(schema.multipleOf), value, path);
  if (schema.maximum !== undefined) {
    const maximum = native(schema.maximum);
    if (schema.isMaximumExclusive) {
      if (value >= maximum) add("less than", maximum);
    } else if (value > maximum) add("less than or equal to", maximum);
  }
  if (schema.minimum === undefined) return;
  const minimum = native(schema.minimum);
  if (schema.isMinimumExclusive) {
    if (value <= minimum) add("greater than", minimum);
  } else if (value < minimum) add("greater than or equal to", minimum);
}

function addMultipleError(
  result: ValueResult,
  factor: number | bigint,
  value: number | bigint,
  path: string,
): void {
  if (factor <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${textOf(factor)}`;
    report(result, fieldInvalid(path, factor, detail));
  } else if (!isMultiple(value, factor)) {
    const detail = `${path} in body should be a multiple of ${textOf(factor)}`;
    report(result, fieldInvalid(path, value, detail));
  }
}

function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (typeof factor === "bigint") return BigInt(value) % factor === 0n;
  const number = Number(value);
  return isWhole(factor < 1 ? (1 / factor) * number : number / factor);
}

const smallestInt64 = -(2n ** 63n);

/** A float64 as Go converts it to an int64; what is too large becomes the smallest int64, as on amd64. */
function toInt64(bound: number): bigint {
  const whole = BigInt(Math.trunc(bound));
  return BigInt.asIntN(64, whole) === whole ? whole : smallestInt64;
}

function textOf(number: number | bigint): string {
  return typeof number === "bigint" ? String(number) : goFloat(number);
}
