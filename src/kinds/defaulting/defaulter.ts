import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonCopy,
  type MutableJsonObject,
} from "../../apimachinery/json.ts";

/** Fills in what a structure leaves open. The structure comes fresh from decoding and is changed in place. */
export type Defaulter = (struct: MutableJsonObject) => void;

/** One after the other: the later ones see what the earlier ones set. */
export function all(...defaulters: readonly Defaulter[]): Defaulter {
  return (struct) => {
    for (const fill of defaulters) fill(struct);
  };
}

/** Values for fields that are not there. Such fields are pointers in Go, so a zero that was sent stays. */
export function whenUnset(defaults: JsonObject): Defaulter {
  const entries = Object.entries(defaults);
  return (struct) => {
    for (const [field, value] of entries) struct[field] ??= jsonCopy(value);
  };
}

/** Values for fields of which Go cannot tell whether zero, empty text or an empty list was sent. */
export function whenZero(defaults: JsonObject): Defaulter {
  const entries = Object.entries(defaults);
  return (struct) => {
    for (const [field, value] of entries) if (isZero(struct[field])) struct[field] = jsonCopy(value);
  };
}

/** In the structure of a field, which Go always has: it is made when it was not sent. */
export function inStruct(field: string, ...defaulters: readonly Defaulter[]): Defaulter {
  const fill = all(...defaulters);
  return (struct) => {
    const known = sentStruct(struct, field);
    const inner = known ?? {};
    fill(inner);
    if (known === undefined) struct[field] = inner;
  };
}

/** In the structure of a field, where it was sent. */
export function ifSet(field: string, ...defaulters: readonly Defaulter[]): Defaulter {
  const fill = all(...defaulters);
  return (struct) => {
    const inner = sentStruct(struct, field);
    if (inner !== undefined) fill(inner);
  };
}

/** In every structure of a list. */
export function each(field: string, ...defaulters: readonly Defaulter[]): Defaulter {
  const fill = all(...defaulters);
  return (struct) => {
    const list = struct[field];
    if (!Array.isArray(list)) return;
    for (const item of list) if (isJsonObject(item)) fill(mutable(item));
  };
}

/** The structure or map of a field; undefined when it was not sent. */
export function sentStruct(struct: MutableJsonObject, field: string): MutableJsonObject | undefined {
  const value = struct[field];
  return isJsonObject(value) ? mutable(value) : undefined;
}

/** Whether Go would take the value for unset: nothing, zero, or an empty text, list or map. */
export function isZero(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return !value;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** Decoding makes every structure, list and map anew, so nobody else holds it. */
function mutable(struct: JsonObject): MutableJsonObject {
  return struct as MutableJsonObject;
}
