import { DecodeError } from "../apimachinery/decode-error.ts";
import { DuplicateKeys, NumberLiteral, type ParsedJson } from "../apimachinery/go/parsed-json.ts";
import type { JsonValue, MutableJsonObject } from "../apimachinery/json.ts";
import { isJsonObject, setKey } from "../apimachinery/json.ts";
import type {
  EitherSchema,
  FieldSchema,
  ListSchema,
  MapSchema,
  Schema,
  StructSchema,
} from "../catalog/type-schema.ts";
import { DecodeState, type FieldStep, TypeMismatch } from "./decode-state.ts";
import { elementGoType, fieldGoType, structGoType } from "./go-type-name.ts";
import type { Decoded } from "./kind-schema.ts";
import { type Decode, scalarDecoder } from "./scalar-decoder.ts";
import { zeroValue } from "./zero-value.ts";

/**
 * Decodes a value as Go decodes JSON into the structure: unknown fields are dropped, null is unset, and quantities,
 * times and the like get their canonical form. Fields keep the order in which they were sent.
 * @throws {DecodeError} with Go's text
 */
export function decodeInto(schema: StructSchema, value: ParsedJson): Decoded {
  const state = new DecodeState();
  const object = decodeStruct(schema.compiled(makePlan), value, state) ?? {};
  if (state.firstError !== undefined) throw state.firstError;
  state.quantities?.keepFor(object);
  return { object, strictErrors: state.strictErrors.list() };
}

/** How a structure is decoded. The decoder of a field is created when a body first has the field. */
interface StructPlan {
  readonly goType: string;
  readonly fields: ReadonlyMap<string, FieldPlan>;
}

function makePlan(schema: StructSchema): StructPlan {
  const fields = new Map(schema.fields.map((field) => [field.name, new FieldPlan(schema, field)]));
  if (schema.typeMeta)
    for (const name of ["kind", "apiVersion"]) fields.set(name, typeMetaField(schema, name));
  return { goType: structGoType(schema), fields };
}

class FieldPlan implements FieldStep {
  readonly name: string;
  readonly owner: string;
  readonly schema: Schema;
  readonly isString: boolean;
  /** Whether null removes an earlier value of the same key, as for pointers, lists and maps in Go. */
  readonly isNullable: boolean;
  decode: Decode;

  constructor(owner: StructSchema, field: FieldSchema) {
    this.name = field.name;
    this.owner = owner.name;
    this.schema = field.schema;
    this.isString = field.schema.type === "scalar" && field.schema.scalar === "string";
    this.isNullable = field.pointer || field.schema.type === "list" || field.schema.type === "map";
    this.decode = (value, state) => {
      this.decode = decoderOf(field.schema, owner, () => fieldGoType(owner, field));
      return this.decode(value, state);
    };
  }
}

function typeMetaField(owner: StructSchema, name: string): FieldPlan {
  return new FieldPlan(owner, {
    name,
    schema: { type: "scalar", scalar: "string" },
    declaredBy: "TypeMeta",
    required: false,
    emit: false,
    pointer: false,
    list: undefined,
    keys: [],
    mapType: undefined,
    patchStrategy: [],
    patchMergeKey: undefined,
    default: undefined,
    enum: [],
  });
}

/** The decoder of a type within `owner`; errors name `goType`. */
function decoderOf(schema: Schema, owner: StructSchema, goType: () => string): Decode {
  switch (schema.type) {
    case "scalar":
      return notNull(scalarDecoder(schema.scalar, goType));
    case "list":
      return listDecoder(schema, owner, goType);
    case "map":
      return mapDecoder(schema, owner, goType);
    case "struct": {
      const plan = schema.compiled(makePlan);
      return (value, state) => decodeStruct(plan, value, state);
    }
    case "either":
      return notNull((value, state) => decodeEither(schema, owner, value, state));
  }
}

function notNull(decode: Decode): Decode {
  return (value, state) => (value === null ? undefined : decode(value, state));
}

function decodeStruct(
  plan: StructPlan,
  value: ParsedJson,
  state: DecodeState,
): MutableJsonObject | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) {
    state.mismatch(value, plan.goType);
    return undefined;
  }
  if (value instanceof DuplicateKeys) return decodeEntries(plan, value, state);
  const object: MutableJsonObject = {};
  for (const key in value) {
    const field = plan.fields.get(key);
    if (field === undefined) {
      state.strict("unknown field", key);
      continue;
    }
    // An own key: parsed JSON has no other enumerable keys.
    const sent = value[key] as ParsedJson;
    if (field.isString && typeof sent === "string") {
      object[key] = sent;
      continue;
    }
    state.path.push(field);
    const decoded = field.decode(sent, state);
    state.path.pop();
    if (decoded !== undefined) object[key] = decoded;
  }
  return object;
}

/** Like `decodeStruct`, for duplicate keys: as in Go, a later value is decoded on top of an earlier one. */
function decodeEntries(plan: StructPlan, { entries }: DuplicateKeys, state: DecodeState): MutableJsonObject {
  const object: MutableJsonObject = {};
  const seen = new Set<string>();
  for (const [key, sent] of entries) {
    const field = plan.fields.get(key);
    if (field === undefined) {
      state.strict("unknown field", key);
      continue;
    }
    if (seen.has(key)) state.strict("duplicate field", key);
    seen.add(key);
    state.path.push(field);
    const decoded = field.decode(sent, state);
    state.path.pop();
    if (decoded !== undefined) object[key] = overlaid(field.schema, object[key], decoded);
    else if (sent === null && field.isNullable) delete object[key];
  }
  return object;
}

/**
 * The result of decoding a second value on top of the first: structures and lists keep what the second does not have.
 */
function overlaid(schema: Schema, first: JsonValue | undefined, second: JsonValue): JsonValue {
  if (first === undefined) return second;
  if (schema.type === "list" && Array.isArray(first) && Array.isArray(second)) {
    return second.map((item: JsonValue, i) => overlaid(schema.items, first[i], item));
  }
  if (!isJsonObject(first) || !isJsonObject(second)) return second;
  if (schema.type === "map") return { ...first, ...second };
  if (schema.type !== "struct") return second;
  const object: MutableJsonObject = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const field = schema.field(key);
    object[key] = field === undefined ? value : overlaid(field.schema, object[key], value);
  }
  return object;
}

function listDecoder(schema: ListSchema, owner: StructSchema, goType: () => string): Decode {
  const { items } = schema;
  const decode = decoderOf(items, owner, () => elementGoType(owner, goType(), items));
  // Errors and findings name the index only of elements that have fields.
  const isScalar = items.type === "scalar";
  return (value, state) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) {
      state.mismatch(value, goType());
      return undefined;
    }
    const list: JsonValue[] = [];
    for (const item of value) {
      if (!isScalar) state.path.push(list.length);
      list.push(decode(item, state) ?? zeroValue(items));
      if (!isScalar) state.path.pop();
    }
    return list;
  };
}

function mapDecoder(schema: MapSchema, owner: StructSchema, goType: () => string): Decode {
  const { values } = schema;
  const decode = decoderOf(values, owner, () => elementGoType(owner, goType(), values));
  const isString = values.type === "scalar" && values.scalar === "string";
  const isScalar = values.type === "scalar";
  const decodeValue = (key: string, value: ParsedJson, state: DecodeState): JsonValue => {
    if (!isScalar) state.path.push(key);
    const decoded = decode(value, state) ?? zeroValue(values);
    if (!isScalar) state.path.pop();
    return decoded;
  };
  return (value, state) => {
    if (value === null) return undefined;
    if (!isObject(value)) {
      state.mismatch(value, goType());
      return undefined;
    }
    const map: MutableJsonObject = {};
    if (value instanceof DuplicateKeys) {
      for (const [key, item] of value.entries) {
        if (Object.hasOwn(map, key)) state.strict("duplicate field", key);
        setKey(map, key, decodeValue(key, item, state));
      }
      return map;
    }
    for (const key in value) {
      const item = value[key] as ParsedJson;
      setKey(map, key, isString && typeof item === "string" ? item : decodeValue(key, item, state));
    }
    return map;
  };
}

/** A type with its own JSON decoder: strict findings inside are lost, and an error ends the decode. */
function decodeEither(
  schema: EitherSchema,
  owner: StructSchema,
  value: ParsedJson,
  state: DecodeState,
): JsonValue | undefined {
  const takesBool = schema.alternatives.some((alternative) => alternative.type === "scalar");
  if (typeof value === "boolean" && takesBool) return value;
  const type = jsonTypeOf(value);
  const alternative = schema.alternatives.find((candidate) => candidate.type === type);
  if (alternative === undefined) {
    if (takesBool) throw new DecodeError("boolean or JSON schema expected");
    return undefined;
  }
  const inner = new DecodeState();
  try {
    const decoded = decoderOf(alternative, owner, () => "")(value, inner);
    if (inner.firstError !== undefined) throw inner.firstError;
    return decoded;
  } catch (error) {
    throw error instanceof TypeMismatch ? state.typeMismatch(error.sent, error.goType) : error;
  }
}

function jsonTypeOf(value: ParsedJson): "list" | "struct" | undefined {
  if (Array.isArray(value)) return "list";
  return isObject(value) ? "struct" : undefined;
}

function isObject(value: ParsedJson): value is DuplicateKeys | { readonly [key: string]: ParsedJson } {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral)
  );
}
