import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import { compareText, sortedKeys } from "../apimachinery/text-order.ts";
import type { EitherSchema, FieldSchema, ScalarType, Schema, StructSchema } from "../catalog/type-schema.ts";
import { sortedValue } from "./sorted-value.ts";
import { zeroValue } from "./zero-value.ts";

/**
 * The object as Go prints it: kind and apiVersion first, fields in the order of declaration, map keys sorted, zero
 * values omitted or written as the schema says. Scalars must be in the form of `decodeInto`. Empty lists and maps stay
 * if Go always writes the field. `old` is canonical: parts that the object shares with it are taken as they are, and
 * parts that come out equal are those of `old`. Frozen parts that are canonical stay the same objects, too.
 */
export function canonicalize(schema: StructSchema, object: JsonObject, old?: JsonObject): JsonObject {
  return canonicalStruct(schema.compiled(asGiven.makePlan), object, old);
}

/** The object as storage returns it, where empty and unset lists are the same: `"rules":null`. */
export function canonicalizeStored(schema: StructSchema, object: JsonObject, old?: JsonObject): JsonObject {
  return canonicalStruct(schema.compiled(stored.makePlan), object, old);
}

/** The same as `canonicalize` with all keys sorted, as in a map. The structure has no type of its own. */
export function canonicalizeSorted(schema: StructSchema, object: JsonObject, old?: JsonObject): JsonObject {
  return canonicalStruct(schema.compiled(sorted.makePlan), object, old);
}

/** The same as `canonicalize`, but for what is in atomic lists, which stays as it is. */
export function outline(schema: StructSchema, object: JsonObject, old?: JsonObject): JsonObject {
  return canonicalStruct(schema.compiled(outlined.makePlan), object, old);
}

/** A value without a schema as Go prints it, with all keys sorted. */
export function canonicalizeUntyped(value: JsonObject): JsonObject;
export function canonicalizeUntyped(value: JsonValue): JsonValue;
export function canonicalizeUntyped(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (!isJsonObject(value)) return value.map((item) => canonicalizeUntyped(item));
  const object: MutableJsonObject = {};
  for (const key of sortedKeys(value)) setKey(object, key, canonicalizeUntyped(value[key] ?? null));
  return object;
}

/** One of the canonical forms. */
interface Form {
  readonly keepsEmpty: boolean;
  /** Whether atomic lists stay as they are. */
  readonly keepsAtomic: boolean;
  /** Whether the fields of a structure are sorted by their names, not in the order of declaration. */
  readonly sortsFields: boolean;
  /** Makes the plan of a structure for this form; pass it to `compiled`. */
  readonly makePlan: (schema: StructSchema) => StructPlan;
}

const asGiven: Form = {
  keepsEmpty: true,
  keepsAtomic: false,
  sortsFields: false,
  makePlan: (schema) => structPlan(schema, asGiven),
};
const stored: Form = {
  keepsEmpty: false,
  keepsAtomic: false,
  sortsFields: false,
  makePlan: (schema) => structPlan(schema, stored),
};
const sorted: Form = {
  keepsEmpty: true,
  keepsAtomic: false,
  sortsFields: true,
  makePlan: (schema) => structPlan(schema, sorted),
};
const outlined: Form = {
  keepsEmpty: true,
  keepsAtomic: true,
  sortsFields: false,
  makePlan: (schema) => structPlan(schema, outlined),
};

interface StructPlan {
  readonly typeMeta: boolean;
  readonly fields: readonly FieldPlan[];
  /** The fields by name, for a structure of which an object usually sets only a few; see `sparseFields`. */
  readonly places: ReadonlyMap<string, FieldPlan> | undefined;
}

interface FieldPlan {
  readonly name: string;
  /** The place of the field among all of the structure. */
  readonly place: number;
  readonly emit: boolean;
  /** Undefined for a scalar that is copied. */
  readonly write: Write | undefined;
  /** Whether an explicit zero is omitted. */
  readonly omitsZero: boolean;
  /** `old` is the value at the same place before. */
  readonly zero: (old: JsonValue | undefined) => JsonValue;
}

/**
 * Returns the canonical form of a value; undefined if Go treats the value as unset. `old` is the value at the same
 * place before.
 */
type Write = (value: JsonValue, old: JsonValue | undefined) => JsonValue | undefined;

function structPlan(schema: StructSchema, form: Form): StructPlan {
  const inOrder = form.sortsFields ? schema.fields.toSorted(byName) : schema.fields;
  const fields = inOrder.map((field, place) => fieldPlan(field, place, form));
  const isSparse = fields.length >= manyFields && fields.every(({ emit }) => !emit);
  const places = isSparse ? new Map(fields.map((field) => [field.name, field])) : undefined;
  return { typeMeta: schema.typeMeta, fields, places };
}

function byName(a: FieldSchema, b: FieldSchema): number {
  return compareText(a.name, b.name);
}

/** From how many optional fields on it is faster to look at the keys of an object than at all fields: schemas have 43. */
const manyFields = 30;

function fieldPlan({ name, schema, emit, pointer, list }: FieldSchema, place: number, form: Form): FieldPlan {
  const isScalar = schema.type === "scalar" && !(schema.scalar === "json" || hasKeys(schema.scalar, form));
  const write = form.keepsAtomic && list === "atomic" ? asIs : writer(schema, form);
  return {
    name,
    place,
    emit,
    write: isScalar ? undefined : fieldWriter(schema, emit || pointer, form, write),
    omitsZero: isScalar && !emit && !pointer,
    zero:
      pointer || schema.type !== "struct"
        ? constant(pointer ? null : zeroValue(schema))
        : emptyStruct(schema, form),
  };
}

/** Whether the values are maps whose keys are sorted, though a structure keeps them as they are. */
function hasKeys(scalar: ScalarType, { sortsFields }: Form): boolean {
  return sortsFields && scalar === "fieldsV1";
}

function constant(value: JsonValue): () => JsonValue {
  return () => value;
}

function emptyStruct(schema: StructSchema, form: Form): (old: JsonValue | undefined) => JsonValue {
  return (old) => canonicalStruct(schema.compiled(form.makePlan), {}, objectOf(old));
}

/** Like `writer`, for fields where an empty list or map may be treated as unset. */
function fieldWriter(
  schema: Schema,
  showsEmpty: boolean,
  form: Form,
  write: Write = writer(schema, form),
): Write {
  const keepsEmpty = showsEmpty && form.keepsEmpty;
  if (schema.type === "list" && !keepsEmpty) {
    return (value, old) => (Array.isArray(value) && value.length === 0 ? undefined : write(value, old));
  }
  if (schema.type === "map" && !keepsEmpty) {
    return (value, old) => (isEmpty(value) ? undefined : write(value, old));
  }
  return write;
}

function asIs(value: JsonValue): JsonValue {
  return value;
}

function isEmpty(map: JsonValue): boolean {
  // JSON objects inherit no enumerable keys.
  for (const _ in map as JsonObject) return false;
  return true;
}

function writer(schema: Schema, form: Form): Write {
  switch (schema.type) {
    case "scalar":
      if (hasKeys(schema.scalar, form)) return sortedPart;
      return schema.scalar === "json" ? canonicalUntyped : (value) => value;
    case "struct": {
      let plan: StructPlan | undefined;
      return (value, old) => {
        plan ??= schema.compiled(form.makePlan);
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
    const list: JsonValue[] = [];
    let isOld = before.length === value.length;
    for (let i = 0; i < value.length; i++) {
      const item = write(value[i] ?? null, before[i]);
      if (item !== before[i]) isOld = false;
      list.push(item);
    }
    return isOld ? before : unlessCopied(list, value);
  };
}

function mapWriter(values: Schema, form: Form): Write {
  const write = elementWriter(values, form);
  return (value, old) => {
    if (!isJsonObject(value)) return value;
    const before = objectOf(old);
    const map: MutableJsonObject = {};
    const keys = sortedKeys(value);
    let isOld = before !== undefined;
    for (const key of keys) {
      const previous = before && getKey(before, key);
      const entry = write(value[key] ?? null, previous);
      if (entry !== previous) isOld = false;
      setKey(map, key, entry);
    }
    if (isOld && before !== undefined && Object.keys(before).length === keys.length) return before;
    return unlessCopied(map, value);
  };
}

/** Items and entries always exist: unset ones have their zero value. */
function elementWriter(
  schema: Schema,
  form: Form,
): (value: JsonValue, old: JsonValue | undefined) => JsonValue {
  // In storage, an entry with empty bytes still exists.
  const zero = schema.type === "scalar" && schema.scalar === "bytes" ? "" : zeroValue(schema);
  const write = fieldWriter(schema, true, form);
  const writeZero = schema.type === "struct" ? emptyStruct(schema, form) : constant(zero);
  return (value, old) => {
    if (value === old && value !== null) return value;
    return (value === null ? undefined : write(value, old)) ?? writeZero(old);
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

function sortedPart(value: JsonValue, old: JsonValue | undefined): JsonValue {
  const written = sortedValue(value);
  return old !== undefined && jsonEqual(written, old) ? old : written;
}

function canonicalUntyped(value: JsonValue, old: JsonValue | undefined): JsonValue {
  const written = canonicalizeUntyped(value);
  return old !== undefined && jsonEqual(written, old) ? old : written;
}

function canonicalStruct(plan: StructPlan, object: JsonObject, old: JsonObject | undefined): JsonObject {
  const result: MutableJsonObject = {};
  let isOld = old !== undefined;
  if (plan.typeMeta) {
    const { kind, apiVersion } = object;
    if (kind) result.kind = kind;
    if (apiVersion) result.apiVersion = apiVersion;
    if (isOld) isOld = result.kind === old?.kind && result.apiVersion === old?.apiVersion;
  }
  const fields = plan.places === undefined ? plan.fields : sparseFields(plan.places, object, old);
  for (const field of fields) {
    const value = object[field.name];
    const before = old === undefined ? undefined : old[field.name];
    // Most fields are absent.
    if (value === undefined && before === undefined && !field.emit) continue;
    const written = canonicalField(field, value, before);
    if (written !== undefined) result[field.name] = written;
    if (written !== before) isOld = false;
  }
  return isOld && old !== undefined ? old : unlessCopied(result, object);
}

/** The fields that an object or the one before has, in the order of declaration. */
function sparseFields(
  places: ReadonlyMap<string, FieldPlan>,
  object: JsonObject,
  old: JsonObject | undefined,
): readonly FieldPlan[] {
  const present: FieldPlan[] = [];
  // JSON objects inherit no enumerable keys.
  for (const name in object) insert(present, places.get(name));
  if (old === undefined) return present;
  for (const name in old) if (!Object.hasOwn(object, name)) insert(present, places.get(name));
  return present;
}

/** Inserts a field at its place. The fields of a structure bound the length of the list. */
function insert(sorted: FieldPlan[], field: FieldPlan | undefined): void {
  if (field === undefined) return;
  let at = sorted.length;
  for (; at > 0; at--) {
    const before = sorted[at - 1];
    if (before === undefined || before.place < field.place) break;
    sorted[at] = before;
  }
  sorted[at] = field;
}

/** The original if it is frozen and equal to the copy, including the order of keys. */
function unlessCopied<T extends JsonObject | readonly JsonValue[]>(copy: T, original: T): T {
  if (!Object.isFrozen(original)) return copy;
  const entries = Object.entries(original);
  const copied = Object.entries(copy);
  const isCopy = ([key, value]: readonly [string, JsonValue], i: number): boolean =>
    copied[i]?.[0] === key && copied[i][1] === value;
  return entries.length === copied.length && entries.every(isCopy) ? original : copy;
}

/** Undefined if the field is omitted. */
function canonicalField(
  field: FieldPlan,
  value: JsonValue | undefined,
  old: JsonValue | undefined,
): JsonValue | undefined {
  if (value === undefined || value === null) return field.emit ? field.zero(old) : undefined;
  if (field.write === undefined) return field.omitsZero && isZero(value) ? undefined : value;
  if (value === old) return value;
  return field.write(value, old) ?? (field.emit ? field.zero(old) : undefined);
}

function isZero(value: JsonValue): boolean {
  return value === "" || value === 0 || value === false;
}
