import type { CelType } from "../types/cel-type.ts";
import type { CelError } from "./cel-error.ts";
import { type Double, doubleValue, intOf, isInt, Uint } from "./numbers.ts";
import type { OpaqueValue } from "./opaque-value.ts";
import type { Duration, Timestamp } from "./times.ts";

/**
 * A value of the Common Expression Language. Plain JSON is a value as it is: objects are maps or objects, numbers
 * without a fraction are ints.
 */
export type CelValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | Double
  | Uint
  | Uint8Array
  | Duration
  | Timestamp
  | readonly CelValue[]
  | PlainObject
  | MapValue
  | Optional
  | TypeValue
  | OpaqueValue
  | CelError;

/** A map or an object of the input. */
export interface PlainObject {
  readonly [key: string]: CelValue;
}

/** optional_type: a value or none. */
export class Optional {
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

export const optionalNone: Optional = new Optional(undefined);

/** A type as a value: `int`, `type(x)`. */
export class TypeValue {
  readonly type: CelType;

  constructor(type: CelType) {
    this.type = type;
  }
}

/** What identifies a key in a map: equal numbers of different types are one key. */
export type MapKey = string | number | bigint | boolean;

/** The identity of a key; undefined if no map has a key of this type. */
export function mapKey(key: CelValue): MapKey | undefined {
  if (typeof key === "string" || typeof key === "boolean") return key;
  if (isInt(key)) return key;
  if (key instanceof Uint) return intOf(key.value) ?? key.value;
  const double = doubleValue(key);
  return double !== undefined && Number.isInteger(double)
    ? (intOf(BigInt(double)) ?? BigInt(double))
    : undefined;
}

/** A map that an expression makes. A map of the input is a plain object with string keys. */
export class MapValue {
  readonly entries: Map<MapKey, readonly [key: CelValue, value: CelValue]> = new Map();

  /** The value of a key; undefined if the map has none. */
  get(key: CelValue): CelValue | undefined {
    const own = mapKey(key);
    return own === undefined ? undefined : this.entries.get(own)?.[1];
  }

  set(key: CelValue, value: CelValue): void {
    const own = mapKey(key);
    if (own !== undefined) this.entries.set(own, [key, value]);
  }
}
