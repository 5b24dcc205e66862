import type { JsonValue } from "../../../apimachinery/json.ts";

/** A pointer inside a Go value that `%#v` prints: the address of what is set cannot be known, and means nothing. */
export function goPointer(type: string, value: JsonValue | undefined): string {
  return value === undefined ? `(*${type})(nil)` : `(*${type})(0xc000000000)`;
}
