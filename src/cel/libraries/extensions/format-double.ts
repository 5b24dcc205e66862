import { type CelError, celError } from "../../values/cel-error.ts";
import { doubleValue, isInt, Uint } from "../../values/numbers.ts";
import { typeOf } from "../../values/type-of.ts";
import type { CelValue } from "../../values/value.ts";
import type { FormatStyle } from "./format-style.ts";

const special: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** `%f` and `%e` */
export function formatDoubleClause(
  value: CelValue,
  style: FormatStyle,
  verb: "f" | "e",
  precision: number,
): string | CelError {
  const number = numberOf(value, style);
  if (number === undefined) {
    const clause = verb === "f" ? "fixed-point" : "scientific";
    return celError(`${clause} clause can only be used on doubles, was given ${typeOf(value).name}`);
  }
  if (!Number.isFinite(number)) return infinite(number, style);
  const text = verb === "f" ? fixedPoint(number, precision) : number.toExponential(Math.min(precision, 100));
  if (verb === "f") return style === "localized" ? grouped(text) : text;
  return exponential(text, style);
}

function numberOf(value: CelValue, style: FormatStyle): number | undefined {
  if (style === "localized") {
    return doubleValue(value) ?? (typeof value === "string" ? special.get(value) : undefined);
  }
  if (value instanceof Uint) return Number(value.value);
  return isInt(value) ? Number(value) : doubleValue(value);
}

function infinite(number: number, style: FormatStyle): string {
  if (Number.isNaN(number)) return "NaN";
  const name = style === "localized" ? "∞" : "Infinity";
  return number < 0 ? `-${name}` : name;
}

/** A double with this many digits after the point, rounded half to even on its exact value, as in Go. */
function fixedPoint(number: number, precision: number): string {
  const digits = Math.min(precision, 100);
  const text = Math.abs(number) < 1e21 ? halfToEven(number, digits) : exactInteger(number, digits);
  return precision > digits ? text + "0".repeat(precision - digits) : text;
}

/** JavaScript rounds a half away from zero. The digits that a double has are exact, so a half shows in them. */
function halfToEven(number: number, digits: number): string {
  const exact = number.toFixed(100);
  const end = exact.indexOf(".") + 1 + digits;
  const isHalf = /^50*$/.test(exact.slice(end));
  const kept = exact.slice(0, digits === 0 ? end - 1 : end);
  return isHalf && /[02468]$/.test(kept) ? kept : number.toFixed(digits);
}

function exactInteger(number: number, digits: number): string {
  return `${BigInt(number)}${digits === 0 ? "" : `.${"0".repeat(digits)}`}`;
}

/** Thousands between commas. */
function grouped(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const digits = whole.slice(sign.length);
  let result = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3)
    result = `${digits.slice(Math.max(0, end - 3), end)},${result}`;
  return sign + result + (fraction === undefined ? "" : `.${fraction}`);
}

/** At least two digits in the exponent, which the localized style writes as a power of ten. */
function exponential(text: string, style: FormatStyle): string {
  const [mantissa = "", exponent = "+0"] = text.split("e");
  const sign = exponent.startsWith("-") ? "-" : "+";
  const digits = exponent.slice(1).padStart(2, "0");
  if (style === "plain") return `${mantissa}e${sign}${digits}`;
  const raised = Array.from(digits, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${mantissa}×10${sign === "-" ? "⁻" : ""}${raised}`;
}
