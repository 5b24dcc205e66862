import { DecodeError } from "../apimachinery/decode-error.ts";
import type { JsonValue } from "../apimachinery/json.ts";
import { integerOf } from "../apimachinery/parsed-json.ts";

type NumberType = "int32" | "int64" | "uint8" | "uint32" | "uint64" | "double" | "float";

/** What Go's reflection calls the kind of a value that was decoded without a schema. */
export function goKindOf(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
  }
  return Array.isArray(value) ? "slice" : "map";
}

/** The error for a value that upstream's converter has no rule for. */
export function unrecognized(goKind: string): DecodeError {
  return new DecodeError(`unrecognized type: ${goKind}`);
}

/**
 * A number in a field of another type, as Go converts it: what does not fit loses its upper bits.
 * @throws {DecodeError} for what is no number, or has a fraction that the type has no room for
 */
export function convertNumber(value: JsonValue, type: NumberType, goType: () => string): number | bigint {
  if (type === "double" || type === "float") {
    if (typeof value === "number" || typeof value === "bigint") return Number(value);
    throw unrecognized(type === "double" ? "float64" : "float32");
  }
  if (typeof value !== "number" && typeof value !== "bigint") throw unrecognized(type);
  if (typeof value === "number" && !Number.isInteger(value)) {
    throw new DecodeError(`cannot convert float64 to ${goType()}`);
  }
  const bits = Number(/\d+$/.exec(type)?.[0]);
  const wrap = type.startsWith("u") ? BigInt.asUintN : BigInt.asIntN;
  return integerOf(wrap(bits, BigInt(value)));
}
