import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonCopy,
  type MutableJsonObject,
} from "../../apimachinery/json.ts";

/** Sets the defaults of a struct in place. The struct must come directly from decoding. */
export type Defaulter = (struct: MutableJsonObject) => void;

/** Runs the defaulters in order, so that later ones see the results of earlier ones. */
export function all(...defaulters: readonly Defaulter[]): Defaulter {
  return (struct) => {
    for (const fill of defaulters) fill(struct);
  };
}

/** Sets fields that are missing. These are pointers in Go, so a zero value in the request is kept. */
export function whenUnset(defaults: JsonObject): Defaulter {
  const fields = Object.keys(defaults);
  return (struct) => {
    for (const field of fields) struct[field] ??= jsonCopy(defaults[field] ?? null);
  };
}

/** Sets fields that are missing or zero. They are not pointers in Go, so Go cannot distinguish the two. */
export function whenZero(defaults: JsonObject): Defaulter {
  const fields = Object.keys(defaults);
  return (struct) => {
    for (const field of fields) if (isZero(struct[field])) struct[field] = jsonCopy(defaults[field] ?? null);
  };
}

/** Sets defaults in the struct of a field, and adds the struct if it is missing, because it is not a pointer in Go. */
export function inStruct(field: string, ...defaulters: readonly Defaulter[]): Defaulter {
  const fill = all(...defaulters);
  return (struct) => {
    const known = sentStruct(struct, field);
    const inner = known ?? {};
    fill(inner);
    if (known === undefined) struct[field] = inner;
  };
}

/** Sets defaults in the struct of a field if it is present. */
export function ifSet(field: string, ...defaulters: readonly Defaulter[]): Defaulter {
  const fill = all(...defaulters);
  return (struct) => {
    const inner = sentStruct(struct, field);
    if (inner !== undefined) fill(inner);
  };
}

/** Sets defaults in every struct of a list. */
export function each(field: string, ...defaulters: readonly Defaulter[]): Defaulter {
  const fill = all(...defaulters);
  return (struct) => {
    const list = struct[field];
    if (!Array.isArray(list)) return;
    for (const item of list) if (isJsonObject(item)) fill(mutable(item));
  };
}

/** The struct or map of a field; undefined if it is missing. */
export function sentStruct(struct: MutableJsonObject, field: string): MutableJsonObject | undefined {
  const value = struct[field];
  return isJsonObject(value) ? mutable(value) : undefined;
}

/** Whether a value is unset for Go: missing, zero, or an empty string, list or map. */
export function isZero(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return !value;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/**
 * Decoding creates every struct, list and map, so nothing else refers to them. The exception is a stored spec that is known to be
 * complete (endpoints/contract/complete-spec.ts): it is frozen, so a defaulter writes only what it changes.
 */
function mutable(struct: JsonObject): MutableJsonObject {
  return struct as MutableJsonObject;
}
