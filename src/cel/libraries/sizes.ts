import { codePoints } from "../syntax/source.ts";
import { isList, isMap, mapSize } from "../values/containers.ts";
import { OpaqueValue } from "../values/opaque-value.ts";
import { type CelValue, Optional } from "../values/value.ts";

/** What costs count: characters, bytes, elements or entries; 1 for other values (cel-go, interpreter/runtimecost.go). */
export function costSize(value: CelValue | undefined): number {
  if (typeof value === "string") return codePoints(value);
  if (value === undefined) return 1;
  if (value instanceof Optional) return costSize(value.value);
  return value instanceof OpaqueValue ? value.size : (sizeOf(value) ?? 1);
}

/** The size of a string in code points, or of bytes, a list or a map; undefined for other values. */
export function sizeOf(value: CelValue): number | undefined {
  if (typeof value === "string") return codePoints(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (isList(value) || value instanceof Uint8Array) return value.length;
  return isMap(value) ? mapSize(value) : undefined;
}
