import type { CelType } from "../types/cel-type.ts";

/** A value of a type that a library brings, such as an IP address. */
export abstract class OpaqueValue {
  abstract readonly type: CelType;

  /** Whether both are the same value; `other` has the same type. */
  abstract equals(other: OpaqueValue): boolean;

  /** What `string(value)` and messages show. */
  abstract toString(): string;

  /** The size for costs; 1 unless the value has elements. */
  get size(): number {
    return 1;
  }
}
