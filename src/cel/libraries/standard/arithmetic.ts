import type { FunctionDeclaration, Implementation, Overload } from "../../environment/declarations.ts";
import { A, declare, global, type OverloadExtras } from "../../environment/declare.ts";
import { operators } from "../../syntax/operators.ts";
import { listType, types } from "../../types/cel-type.ts";
import { type CelError, celError, costLimitExceeded, integerOverflow } from "../../values/cel-error.ts";
import {
  addInts,
  divideInts,
  moduloInts,
  multiplyInts,
  negateInt,
  subtractInts,
  uintOperation,
} from "../../values/int64.ts";
import { double, type Int } from "../../values/numbers.ts";
import { durationOf, timestampNanoseconds, timestampOfNanoseconds } from "../../values/times.ts";
import type { CelValue } from "../../values/value.ts";
import { binary, doubles, or, unary } from "../arguments.ts";
import { traversal } from "../costs.ts";
import { isBytes, isDuration, isInteger, isListValue, isString, isTimestamp, isUint } from "../guards.ts";
import { costSize } from "../sizes.ts";

const { bytes, double: doubleType, duration, int, string, timestamp, uint } = types;
const timestampOverflow: CelError = celError("timestamp overflow");

/** Both operands may be copied. */
const joiningCost: OverloadExtras = {
  cost: ([a, b]) => Math.ceil((costSize(a) + costSize(b)) * traversal),
};

/** The operators + - * / % and the unary minus. */
export const arithmetic: readonly FunctionDeclaration[] = [
  declare(
    operators.add,
    global("add_bytes", [bytes, bytes], bytes, binary(isBytes, isBytes, concatenated), joiningCost),
    ofDoubles("add_double", (a, b) => a + b),
    global(
      "add_duration_duration",
      [duration, duration],
      duration,
      durations((a, b) => a + b),
    ),
    global("add_duration_timestamp", [duration, timestamp], timestamp, (a = null, b = null) => addTime(b, a)),
    global("add_timestamp_duration", [timestamp, duration], timestamp, addTime),
    ofInts("add_int64", addInts),
    global("add_list", [listType(A), listType(A)], listType(A), binary(isListValue, isListValue, joinLists)),
    global("add_string", [string, string], string, binary(isString, isString, joinTexts)),
    ofUints("add_uint64", "+"),
  ),
  declare(
    operators.divide,
    ofDoubles("divide_double", (a, b) => a / b),
    ofInts("divide_int64", divideInts),
    ofUints("divide_uint64", "/"),
  ),
  declare(operators.modulo, ofInts("modulo_int64", moduloInts), ofUints("modulo_uint64", "%")),
  declare(
    operators.multiply,
    ofDoubles("multiply_double", (a, b) => a * b),
    ofInts("multiply_int64", multiplyInts),
    ofUints("multiply_uint64", "*"),
  ),
  declare(
    operators.negate,
    global(
      "negate_double",
      [doubleType],
      doubleType,
      doubles((a = 0) => double(-a)),
    ),
    global("negate_int64", [int], int, unary(isInteger, negateInt)),
  ),
  declare(
    operators.subtract,
    ofDoubles("subtract_double", (a, b) => a - b),
    global(
      "subtract_duration_duration",
      [duration, duration],
      duration,
      durations((a, b) => a - b),
    ),
    ofInts("subtract_int64", subtractInts),
    global(
      "subtract_timestamp_duration",
      [timestamp, duration],
      timestamp,
      binary(isTimestamp, isDuration, (a, b) =>
        or(timestampOfNanoseconds(timestampNanoseconds(a) - b.nanoseconds), timestampOverflow),
      ),
    ),
    global(
      "subtract_timestamp_timestamp",
      [timestamp, timestamp],
      duration,
      binary(isTimestamp, isTimestamp, (a, b) =>
        or(durationOf(timestampNanoseconds(a) - timestampNanoseconds(b)), integerOverflow),
      ),
    ),
    ofUints("subtract_uint64", "-"),
  ),
];

/**
 * cel-go joins lists without copying, so it charges 1. No expression within the limits of Kubernetes can read a list
 * this long, so a longer one ends the evaluation as the limit would.
 */
const maxListLength = 1_000_000;

const maxTextLength = 10_000_000;

/** Likewise, where the types are not known, cel-go charges 1 for joining texts. */
function joinTexts(a: string, b: string): CelValue {
  return a.length + b.length > maxTextLength ? costLimitExceeded : a + b;
}

function joinLists(a: readonly CelValue[], b: readonly CelValue[]): CelValue {
  return a.length + b.length > maxListLength ? costLimitExceeded : a.concat(b);
}

function ofInts(id: string, operation: (a: Int, b: Int) => CelValue): Overload {
  return global(id, [int, int], int, binary(isInteger, isInteger, operation));
}

function ofUints(id: string, operation: Parameters<typeof uintOperation>[2]): Overload {
  return global(
    id,
    [uint, uint],
    uint,
    binary(isUint, isUint, (a, b) => uintOperation(a, b, operation)),
  );
}

function ofDoubles(id: string, operation: (a: number, b: number) => number): Overload {
  const call = doubles((a = 0, b = 0) => double(operation(a, b)));
  return global(id, [doubleType, doubleType], doubleType, call);
}

function durations(operation: (a: bigint, b: bigint) => bigint): Implementation {
  return binary(isDuration, isDuration, (a, b) =>
    or(durationOf(operation(a.nanoseconds, b.nanoseconds)), integerOverflow),
  );
}

function addTime(time: CelValue = null, span: CelValue = null): CelValue {
  return binary(isTimestamp, isDuration, (a, b) =>
    or(timestampOfNanoseconds(timestampNanoseconds(a) + b.nanoseconds), timestampOverflow),
  )(time, span);
}

function concatenated(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
