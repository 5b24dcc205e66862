import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import { sortedKeys } from "../apimachinery/text-order.ts";
import type { EitherSchema, FieldSchema, Schema, StructSchema } from "./structural-schema.ts";
import { zeroValue } from "./zero-value.ts";

/**
 * The object as Go prints it, a new one each time: kind and apiVersion first, fields in the order of declaration, map
 * keys sorted, zero values left out or written out as the schema says. Scalars must be in the form that `decodeInto`
 * gives them. Lists and maps that are there but empty stay so where Go writes the field in any case. `old` is canonical:
 * parts that the object shares with it, in the same places, are taken as they are.
 */
export function canonicalize(schema: StructSchema, object: JsonObject, old?: JsonObject): JsonObject {
  return canonicalStruct(planOf(schema, asGiven), object, old);
}

/** The object as it comes back from storage, which knows no difference between empty and unset: `"rules":null`. */
export function canonicalizeStored(schema: StructSchema, object: JsonObject, old?: JsonObject): JsonObject {
  return canonicalStruct(planOf(schema, stored), object, old);
}

/** A value without a schema as Go prints it: all keys sorted. */
export function canonicalizeUntyped(value: JsonObject): JsonObject;
export function canonicalizeUntyped(value: JsonValue): JsonValue;
export function canonicalizeUntyped(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (!isJsonObject(value)) return value.map((item) => canonicalizeUntyped(item));
  const object: MutableJsonObject = {};
  for (const key of sortedKeys(value)) setKey(object, key, canonicalizeUntyped(value[key] ?? null));
  return object;
}

/** One of the two forms, with the plans made for it. */
interface Form {
  readonly keepsEmpty: boolean;
  readonly plans: WeakMap<StructSchema, StructPlan>;
}

const asGiven: Form = { keepsEmpty: true, plans: new WeakMap() };
const stored: Form = { keepsEmpty: false, plans: new WeakMap() };

interface StructPlan {
  readonly typeMeta: boolean;
  readonly fields: readonly FieldPlan[];
}

interface FieldPlan {
  readonly name: string;
  readonly emit: boolean;
  /** Undefined for a scalar that stands as it is. */
  readonly write: Write | undefined;
  /** Whether a zero that was set is left out. */
  readonly omitsZero: boolean;
  readonly zero: () => JsonValue;
}

/** Gives the canonical form of a value that is set; undefined where Go takes it for unset. `old` stood in its place. */
type Write = (value: JsonValue, old: JsonValue | undefined) => JsonValue | undefined;

function planOf(schema: StructSchema, form: Form): StructPlan {
  const known = form.plans.get(schema);
  if (known !== undefined) return known;
  const fields: FieldPlan[] = [];
  const plan: StructPlan = { typeMeta: schema.typeMeta, fields };
  // Before the fields, one of which may be of this very type.
  form.plans.set(schema, plan);
  for (const field of schema.fields) fields.push(fieldPlan(field, form));
  return plan;
}

function fieldPlan({ name, schema, emit, pointer }: FieldSchema, form: Form): FieldPlan {
  const isScalar = schema.type === "scalar" && schema.scalar !== "json";
  return {
    name,
    emit,
    write: isScalar ? undefined : fieldWriter(schema, emit || pointer, form),
    omitsZero: isScalar && !emit && !pointer,
    zero:
      pointer || schema.type !== "struct"
        ? constant(pointer ? null : zeroValue(schema))
        : emptyStruct(schema, form),
  };
}

function constant(value: JsonValue): () => JsonValue {
  return () => value;
}

function emptyStruct(schema: StructSchema, form: Form): () => JsonValue {
  return () => canonicalStruct(planOf(schema, form), {}, undefined);
}

/** As `writer`, where an empty list or map may count as unset. */
function fieldWriter(schema: Schema, showsEmpty: boolean, form: Form): Write {
  const write = writer(schema, form);
  const keepsEmpty = showsEmpty && form.keepsEmpty;
  if (schema.type === "list" && !keepsEmpty) {
    return (value, old) => (Array.isArray(value) && value.length === 0 ? undefined : write(value, old));
  }
  if (schema.type === "map" && !keepsEmpty) {
    return (value, old) => (isEmpty(value) ? undefined : write(value, old));
  }
  return write;
}

function isEmpty(map: JsonValue): boolean {
  // Only own keys: objects of JSON inherit none that can be enumerated.
  for (const _ in map as JsonObject) return false;
  return true;
}

function writer(schema: Schema, form: Form): Write {
  switch (schema.type) {
    case "scalar":
      return schema.scalar === "json" ? (value) => canonicalizeUntyped(value) : (value) => value;
    case "struct": {
      let plan: StructPlan | undefined;
      return (value, old) => {
        plan ??= planOf(schema, form);
        return isJsonObject(value) ? canonicalStruct(plan, value, objectOf(old)) : value;
      };
    }
    case "list":
      return listWriter(schema.items, form);
    case "map":
      return mapWriter(schema.values, form);
    case "either":
      return eitherWriter(schema, form);
  }
}

function listWriter(items: Schema, form: Form): Write {
  const write = elementWriter(items, form);
  return (value, old) => {
    if (!Array.isArray(value)) return value;
    const before: readonly JsonValue[] = Array.isArray(old) ? old : [];
    return value.map((item: JsonValue, i) => write(item, before[i]));
  };
}

function mapWriter(values: Schema, form: Form): Write {
  const write = elementWriter(values, form);
  return (value, old) => {
    if (!isJsonObject(value)) return value;
    const before = objectOf(old);
    const map: MutableJsonObject = {};
    for (const key of sortedKeys(value)) {
      setKey(map, key, write(value[key] ?? null, before && getKey(before, key)));
    }
    return map;
  };
}

/** Items and entries are always there: what is unset in them shows as its zero value. */
function elementWriter(
  schema: Schema,
  form: Form,
): (value: JsonValue, old: JsonValue | undefined) => JsonValue {
  // In storage bytes are there or not, and the entry says that they are.
  const zero = schema.type === "scalar" && schema.scalar === "bytes" ? "" : zeroValue(schema);
  const write = fieldWriter(schema, true, form);
  const writeZero = schema.type === "struct" ? emptyStruct(schema, form) : constant(zero);
  return (value, old) => {
    if (value === old && value !== null) return value;
    return (value === null ? undefined : write(value, old)) ?? writeZero();
  };
}

function eitherWriter({ alternatives }: EitherSchema, form: Form): Write {
  const find = (type: "struct" | "list"): Write | undefined => {
    const alternative = alternatives.find((candidate) => candidate.type === type);
    return alternative === undefined ? undefined : fieldWriter(alternative, false, form);
  };
  const [writeStruct, writeList] = [find("struct"), find("list")];
  return (value, old) => {
    if (Array.isArray(value)) return writeList === undefined ? value : writeList(value, old);
    return isJsonObject(value) && writeStruct !== undefined ? writeStruct(value, old) : value;
  };
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function canonicalStruct(plan: StructPlan, object: JsonObject, old: JsonObject | undefined): JsonObject {
  const result: MutableJsonObject = {};
  if (plan.typeMeta) {
    const { kind, apiVersion } = object;
    if (kind) result.kind = kind;
    if (apiVersion) result.apiVersion = apiVersion;
  }
  for (const field of plan.fields) {
    const value = object[field.name];
    if (value === undefined || value === null) {
      if (field.emit) result[field.name] = field.zero();
      continue;
    }
    if (field.write === undefined) {
      if (!(field.omitsZero && isZero(value))) result[field.name] = value;
      continue;
    }
    const before = old === undefined ? undefined : old[field.name];
    if (value === before) {
      result[field.name] = value;
      continue;
    }
    const written = field.write(value, before);
    if (written !== undefined) result[field.name] = written;
    else if (field.emit) result[field.name] = field.zero();
  }
  return result;
}

function isZero(value: JsonValue): boolean {
  return value === "" || value === 0 || value === false;
}
