import type { FunctionDeclaration } from "../../environment/declarations.ts";
import { declare, global } from "../../environment/declare.ts";
import { types } from "../../types/cel-type.ts";
import { celError } from "../../values/cel-error.ts";
import { type Int, intOf, Uint } from "../../values/numbers.ts";
import type { CelValue } from "../../values/value.ts";
import { binary, unary } from "../arguments.ts";
import { isInteger, isUint } from "../guards.ts";

const { int, uint } = types;

/** Functions of the 64 bits of integers. */
export const bitFunctions: readonly FunctionDeclaration[] = [
  pair("bitAnd", (a, b) => a & b),
  pair("bitOr", (a, b) => a | b),
  pair("bitXor", (a, b) => a ^ b),
  declare(
    "math.bitNot",
    global(
      "math_bitNot_int_int",
      [int],
      int,
      unary(isInteger, (value) => signed(~BigInt(value))),
    ),
    global(
      "math_bitNot_uint_uint",
      [uint],
      uint,
      unary(isUint, ({ value }) => unsigned(~value)),
    ),
  ),
  shift("bitShiftLeft", (value, bits) => value << bits),
  shift("bitShiftRight", (value, bits) => value >> bits),
];

function signed(value: bigint): CelValue {
  return intOf(BigInt.asIntN(64, value)) ?? 0;
}

function unsigned(value: bigint): CelValue {
  return new Uint(BigInt.asUintN(64, value));
}

function pair(name: string, apply: (a: bigint, b: bigint) => bigint): FunctionDeclaration {
  return declare(
    `math.${name}`,
    global(
      `math_${name}_int_int`,
      [int, int],
      int,
      binary(isInteger, isInteger, (a, b) => signed(apply(BigInt(a), BigInt(b)))),
    ),
    global(
      `math_${name}_uint_uint`,
      [uint, uint],
      uint,
      binary(isUint, isUint, (a, b) => unsigned(apply(a.value, b.value))),
    ),
  );
}

/** A shift to the right fills with zeros, and so does one of a negative int. */
function shift(name: string, apply: (value: bigint, bits: bigint) => bigint): FunctionDeclaration {
  const shifted = (value: bigint, bits: Int, wrap: (value: bigint) => CelValue): CelValue => {
    if (bits < 0) return celError(`math.${name}() negative offset: ${bits}`);
    return bits > 63 ? wrap(0n) : wrap(apply(BigInt.asUintN(64, value), BigInt(bits)));
  };
  return declare(
    `math.${name}`,
    global(
      `math_${name}_int_int`,
      [int, int],
      int,
      binary(isInteger, isInteger, (value, bits) => shifted(BigInt(value), bits, signed)),
    ),
    global(
      `math_${name}_uint_int`,
      [uint, int],
      uint,
      binary(isUint, isInteger, ({ value }, bits) => shifted(value, bits, unsigned)),
    ),
  );
}
