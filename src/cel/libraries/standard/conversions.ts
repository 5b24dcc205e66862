import { DecodeError } from "../../../apimachinery/decode-error.ts";
import { parseDuration } from "../../../apimachinery/duration.ts";
import { goFloat } from "../../../apimachinery/go/go-value.ts";
import { utf8Bytes } from "../../../apimachinery/utf8.ts";
import type { FunctionDeclaration, Implementation, Overload } from "../../environment/declarations.ts";
import { A, declare, global, type OverloadExtras } from "../../environment/declare.ts";
import { fixed } from "../../environment/estimates.ts";
import { type CelType, typeOfType, types } from "../../types/cel-type.ts";
import { type CelError, celError, integerOverflow, unsignedOverflow } from "../../values/cel-error.ts";
import { parseDouble } from "../../values/go-float.ts";
import { intOfDouble, uintOfDouble } from "../../values/int64.ts";
import { double, intOf, uintOf } from "../../values/numbers.ts";
import { formatDurationSeconds } from "../../values/show.ts";
import { durationOf, timestampOf } from "../../values/times.ts";
import { formatTimestamp, parseTimestamp } from "../../values/timestamp-text.ts";
import { typeOf } from "../../values/type-of.ts";
import { type CelValue, TypeValue } from "../../values/value.ts";
import { doubles, or, unary } from "../arguments.ts";
import { resulting, sizeAt, traversal, traversing } from "../costs.ts";
import { isBytes, isDuration, isInteger, isString, isTimestamp, isUint } from "../guards.ts";

const { bool, bytes, double: doubleType, duration, int, string, timestamp, uint } = types;
const identity: Implementation = (value = null) => value;
const timestampOverflow: CelError = celError("timestamp overflow");

/** The functions that convert a value to another type, named after it. */
export const conversions: readonly FunctionDeclaration[] = [
  declare(
    "type",
    global("type", [A], typeOfType(A), (value = null) => new TypeValue(typeOf(value))),
  ),
  declare("dyn", global("to_dyn", [A], types.dyn, identity)),
  convert(
    "bool",
    bool,
    ["bool_to_bool", bool, identity],
    ["string_to_bool", string, unary(isString, parseBool)],
  ),
  convert(
    "bytes",
    bytes,
    ["bytes_to_bytes", bytes, identity],
    ["string_to_bytes", string, unary(isString, utf8Bytes), stringToBytes],
  ),
  convert(
    "double",
    doubleType,
    ["double_to_double", doubleType, identity],
    ["int64_to_double", int, unary(isInteger, (value) => double(Number(value)))],
    ["string_to_double", string, unary(isString, doubleOfString)],
    ["uint64_to_double", uint, unary(isUint, ({ value }) => double(Number(value)))],
  ),
  convert(
    "duration",
    duration,
    ["duration_to_duration", duration, identity],
    ["string_to_duration", string, unary(isString, durationOfString)],
  ),
  convert(
    "int",
    int,
    ["int64_to_int64", int, identity],
    ["double_to_int64", doubleType, doubles((value = 0) => intOfDouble(value))],
    [
      "duration_to_int64",
      duration,
      unary(isDuration, ({ nanoseconds }) => or(intOf(nanoseconds), integerOverflow)),
    ],
    ["string_to_int64", string, unary(isString, intOfString)],
    ["timestamp_to_int64", timestamp, unary(isTimestamp, ({ seconds }) => seconds)],
    ["uint64_to_int64", uint, unary(isUint, ({ value }) => or(intOf(value), integerOverflow))],
  ),
  convert(
    "string",
    string,
    ["string_to_string", string, identity],
    ["bool_to_string", bool, (value = null) => String(value)],
    ["bytes_to_string", bytes, unary(isBytes, stringOfBytes), bytesToString],
    ["double_to_string", doubleType, doubles((value = 0) => goFloat(value))],
    ["duration_to_string", duration, unary(isDuration, formatDurationSeconds)],
    ["int64_to_string", int, unary(isInteger, String)],
    ["timestamp_to_string", timestamp, unary(isTimestamp, formatTimestamp)],
    ["uint64_to_string", uint, unary(isUint, ({ value }) => String(value))],
  ),
  convert(
    "timestamp",
    timestamp,
    ["timestamp_to_timestamp", timestamp, identity],
    [
      "int64_to_timestamp",
      int,
      unary(isInteger, (value) => or(timestampOf(Number(value), 0), timestampOverflow)),
    ],
    ["string_to_timestamp", string, unary(isString, timestampOfString)],
  ),
  convert(
    "uint",
    uint,
    ["uint64_to_uint64", uint, identity],
    ["double_to_uint64", doubleType, doubles((value = 0) => uintOfDouble(value))],
    ["int64_to_uint64", int, unary(isInteger, (value) => or(uintOf(BigInt(value)), unsignedOverflow))],
    ["string_to_uint64", string, unary(isString, uintOfString)],
  ),
];

type Conversion = readonly [id: string, from: CelType, call: Implementation, extras?: () => OverloadExtras];

function convert(name: string, to: CelType, ...conversions: readonly Conversion[]): FunctionDeclaration {
  const overloads = conversions.map(
    ([id, from, call, extras]): Overload => global(id, [from], to, call, { isFoldable: true, ...extras?.() }),
  );
  return declare(name, ...overloads);
}

function stringToBytes(): OverloadExtras {
  const { cost, estimate } = traversing(0);
  // A character becomes at most four bytes.
  return { cost, estimate: resulting(estimate, (operands) => grown(operands, 4)) };
}

function bytesToString(): OverloadExtras {
  const { cost, estimate } = traversing(0, traversal);
  const size = (operands: Parameters<typeof sizeAt>[0]) => {
    const { min, max } = sizeAt(operands, 0);
    return { min: Math.floor(min / 4), max };
  };
  return { cost, estimate: resulting(estimate, size) };
}

function grown(operands: Parameters<typeof sizeAt>[0], factor: number): { min: number; max: number } {
  const { min, max } = sizeAt(operands, 0);
  return { min, max: max * fixed(factor).max };
}

function failure(to: CelType): CelError {
  return celError(`type conversion error from 'string' to '${to.name}'`);
}

/** What Go's strconv.ParseBool accepts. */
function parseBool(text: string): CelValue {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  return /^(0|f|F|FALSE|false|False)$/.test(text) ? false : failure(bool);
}

function doubleOfString(text: string): CelValue {
  const value = parseDouble(text);
  return value === undefined ? failure(doubleType) : double(value);
}

function intOfString(text: string): CelValue {
  if (!/^[+-]?\d{1,20}$/.test(text.replace(/^([+-]?)0+(?=\d)/, "$1"))) return failure(int);
  return or(intOf(BigInt(text.replace("+", ""))), failure(int));
}

function uintOfString(text: string): CelValue {
  return /^\d{1,20}$/.test(text.replace(/^0+(?=\d)/, ""))
    ? or(uintOf(BigInt(text)), failure(uint))
    : failure(uint);
}

function durationOfString(text: string): CelValue {
  try {
    return or(durationOf(parseDuration(text)), failure(duration));
  } catch (error) {
    if (error instanceof DecodeError) return failure(duration);
    throw error;
  }
}

function timestampOfString(text: string): CelValue {
  const parsed = parseTimestamp(text);
  return parsed === "overflow" ? timestampOverflow : or(parsed, failure(timestamp));
}

function stringOfBytes(value: Uint8Array): CelValue {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return celError("invalid UTF-8 in bytes, cannot convert to string");
  }
}
