import { DecodeError } from "../apimachinery/decode-error.ts";
import { integerOf } from "../apimachinery/go/parsed-json.ts";
import type { JsonValue } from "../apimachinery/json.ts";

type WholeType = "int32" | "int64" | "uint8" | "uint32" | "uint64";

interface Width {
  readonly bits: number;
  readonly wrap: (bits: number, value: bigint) => bigint;
}

const widths: Readonly<Record<WholeType, Width>> = {
  int32: { bits: 32, wrap: BigInt.asIntN },
  int64: { bits: 64, wrap: BigInt.asIntN },
  uint8: { bits: 8, wrap: BigInt.asUintN },
  uint32: { bits: 32, wrap: BigInt.asUintN },
  uint64: { bits: 64, wrap: BigInt.asUintN },
};

/** The error for a value that upstream's converter does not convert. */
export function unrecognized(goKind: string): DecodeError {
  return new DecodeError(`unrecognized type: ${goKind}`);
}

/**
 * Converts a number to another type as Go does: overflow drops the upper bits.
 * @throws {DecodeError} for a value that is not a number, and for a fraction in an integer type
 */
export function convertNumber(
  value: JsonValue,
  type: WholeType | "double" | "float",
  goType: () => string,
): number | bigint {
  if (type === "double" || type === "float") {
    if (typeof value === "number" || typeof value === "bigint") return Number(value);
    throw unrecognized(type === "double" ? "float64" : "float32");
  }
  if (typeof value !== "number" && typeof value !== "bigint") throw unrecognized(type);
  if (typeof value === "number" && !Number.isInteger(value)) {
    throw new DecodeError(`cannot convert float64 to ${goType()}`);
  }
  const { bits, wrap } = widths[type];
  if (typeof value === "number" && value >= 0 && value < 2 ** (bits - 1) && Number.isSafeInteger(value)) {
    return value;
  }
  return integerOf(wrap(bits, BigInt(value)));
}
