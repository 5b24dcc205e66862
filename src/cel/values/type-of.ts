import { type CelType, listType, mapType, optionalType, types } from "../types/cel-type.ts";
import { isList } from "./containers.ts";
import { Double, isInt, Uint } from "./numbers.ts";
import { OpaqueValue } from "./opaque-value.ts";
import { Duration, Timestamp } from "./times.ts";
import { type CelValue, Optional, TypeValue } from "./value.ts";

const dynamicList = listType(types.dyn);
const dynamicMap = mapType(types.dyn, types.dyn);
const dynamicOptional = optionalType(types.dyn);

/** The type of a value at run time. Those of containers have dyn for parameters. */
export function typeOf(value: CelValue): CelType {
  switch (typeof value) {
    case "string":
      return types.string;
    case "boolean":
      return types.bool;
    case "number":
      return isInt(value) ? types.int : types.double;
    case "bigint":
      return types.int;
    default:
      return value === null ? types.null : typeOfObject(value);
  }
}

function typeOfObject(value: object): CelType {
  if (isList(value)) return dynamicList;
  if (value instanceof Double) return types.double;
  if (value instanceof Uint) return types.uint;
  if (value instanceof Uint8Array) return types.bytes;
  if (value instanceof Timestamp) return types.timestamp;
  if (value instanceof Duration) return types.duration;
  if (value instanceof Optional) return dynamicOptional;
  if (value instanceof TypeValue) return types.type;
  return value instanceof OpaqueValue ? value.type : dynamicMap;
}

/** Whether a value may be the argument of a parameter of this type. */
export function hasType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case "dyn":
    case "any":
    case "param":
      return true;
    case "object": {
      const own = typeOf(value);
      return own.kind === "map" || own.name === type.name;
    }
    default: {
      const own = typeOf(value);
      return own.kind === type.kind && own.name === type.name;
    }
  }
}
