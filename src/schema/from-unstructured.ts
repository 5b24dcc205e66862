import { canonicalBase64 } from "../apimachinery/base64.ts";
import { DecodeError } from "../apimachinery/decode-error.ts";
import { goKindOf } from "../apimachinery/go/go-text.ts";
import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import { compareText } from "../apimachinery/text-order.ts";
import type {
  EitherSchema,
  FieldSchema,
  ListSchema,
  MapSchema,
  ScalarType,
  Schema,
  StructSchema,
} from "../catalog/type-schema.ts";
import { convertNumber, unrecognized } from "./convert-number.ts";
import { DecodeState } from "./decode-state.ts";
import { elementGoType, fieldGoType } from "./go-type-name.ts";
import type { Converted } from "./kind-schema.ts";
import { scalarDecoder } from "./scalar-decoder.ts";
import { decodeInto } from "./typed-decode.ts";
import { zeroValue } from "./zero-value.ts";

/**
 * Gives the result of a strategic merge patch its type by the rules of upstream's converter of unstructured objects,
 * which differ from those of its JSON decoder: it has other error texts, reports the first error in the order of
 * fields, and converts numbers. Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/converter.go.
 * @throws {DecodeError} with the converter's text
 */
export function fromUnstructured(schema: StructSchema, document: JsonObject): Converted {
  const context: Context = { path: [], unknown: [], state: new DecodeState() };
  const object = convertStruct(schema.compiled(makePlan), document, context);
  context.state.quantities?.keepFor(object);
  return { object, unknownFields: context.unknown.sort(compareText) };
}

interface Context {
  /** Field names and indices; map keys are not part of it. */
  readonly path: (string | number)[];
  readonly unknown: string[];
  /** For the types that have their own JSON decoder. */
  readonly state: DecodeState;
}

/** Converts a value that is not null. */
type Convert = (value: JsonValue, context: Context) => JsonValue;

interface FieldPlan {
  readonly name: string;
  convert: Convert;
}

function makePlan(schema: StructSchema): readonly FieldPlan[] {
  const typeMeta = schema.typeMeta ? ["kind", "apiVersion"].map((name) => ({ name, convert: text })) : [];
  return [...typeMeta, ...schema.fields.map((field) => fieldPlan(schema, field))];
}

const text = scalarConverter("string", () => "string");

/** The converter is created when the field first occurs, since structures may be recursive. */
function fieldPlan(owner: StructSchema, field: FieldSchema): FieldPlan {
  const plan: FieldPlan = {
    name: field.name,
    convert: (value, context) => {
      plan.convert = converterOf(field.schema, owner, () => fieldGoType(owner, field));
      return plan.convert(value, context);
    },
  };
  return plan;
}

/** The converter of a type within `owner`; errors name `goType`. */
function converterOf(schema: Schema, owner: StructSchema, goType: () => string): Convert {
  switch (schema.type) {
    case "scalar":
      return scalarConverter(schema.scalar, goType);
    case "list":
      return listConverter(schema, owner, goType);
    case "map":
      return mapConverter(schema, owner, goType);
    case "struct": {
      const plan = schema.compiled(makePlan);
      return (value, context) => convertStruct(plan, value, context);
    }
    case "either":
      return (value) => convertEither(schema, value);
  }
}

function convertStruct(plan: readonly FieldPlan[], value: JsonValue, context: Context): MutableJsonObject {
  if (!isJsonObject(value)) throw new DecodeError(`cannot restore struct from: ${goKindOf(value)}`);
  const object: MutableJsonObject = {};
  let matched = 0;
  for (const { name, convert } of plan) {
    const member = getKey(value, name);
    if (member === undefined) continue;
    matched++;
    if (member === null) continue;
    context.path.push(name);
    object[name] = convert(member, context);
    context.path.pop();
  }
  if (matched < Object.keys(value).length) findUnknown(plan, value, context);
  return object;
}

function findUnknown(plan: readonly FieldPlan[], value: JsonObject, { path, unknown }: Context): void {
  for (const key of Object.keys(value)) {
    if (plan.some(({ name }) => name === key)) continue;
    unknown.push(`unknown field "${pathText([...path, key])}"`);
  }
}

function pathText(path: readonly (string | number)[]): string {
  let joined = "";
  for (const step of path) {
    if (typeof step === "number") joined += `[${step}]`;
    else joined += joined === "" ? step : `.${step}`;
  }
  return joined;
}

function listConverter({ items }: ListSchema, owner: StructSchema, goType: () => string): Convert {
  const convert = converterOf(items, owner, () => elementGoType(owner, goType(), items));
  return (value, context) => {
    if (!Array.isArray(value)) throw new DecodeError(`cannot restore slice from ${goKindOf(value)}`);
    const list: JsonValue[] = [];
    for (const item of value) {
      context.path.push(list.length);
      list.push(item === null ? zeroValue(items) : convert(item, context));
      context.path.pop();
    }
    return list;
  };
}

function mapConverter({ values }: MapSchema, owner: StructSchema, goType: () => string): Convert {
  const convert = converterOf(values, owner, () => elementGoType(owner, goType(), values));
  return (value, context) => {
    if (!isJsonObject(value)) throw new DecodeError(`cannot restore map from ${goKindOf(value)}`);
    const map: MutableJsonObject = {};
    for (const [key, item] of Object.entries(value)) {
      setKey(map, key, item === null ? zeroValue(values) : convert(item, context));
    }
    return map;
  };
}

function scalarConverter(scalar: ScalarType, goType: () => string): Convert {
  switch (scalar) {
    case "string":
      return (value) => {
        if (typeof value === "string") return value;
        // Go's reflection can convert an integer to a string, so its error differs.
        if (goKindOf(value) === "int64") throw new DecodeError(`cannot convert int64 to ${goType()}`);
        throw unrecognized("string");
      };
    case "bool":
      return (value) => {
        if (typeof value === "boolean") return value;
        throw unrecognized("bool");
      };
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
    case "double":
    case "float":
      return (value) => convertNumber(value, scalar, goType);
    case "bytes":
      return convertBytes;
    default: {
      const decode = scalarDecoder(scalar, goType);
      return (value, { state }) => decode(value, state) ?? null;
    }
  }
}

function convertBytes(value: JsonValue): string {
  if (Array.isArray(value)) {
    let characters = "";
    for (const item of value) characters += String.fromCharCode(item === null ? 0 : byteOf(item));
    return btoa(characters);
  }
  if (typeof value !== "string") throw new DecodeError(`cannot restore slice from ${goKindOf(value)}`);
  try {
    return canonicalBase64(value);
  } catch (error) {
    throw error instanceof DecodeError
      ? new DecodeError(`error decoding from json: ${error.message}`)
      : error;
  }
}

function byteOf(value: JsonValue): number {
  return Number(convertNumber(value, "uint8", () => "uint8"));
}

/** These types decode JSON themselves, too, and do not report unknown fields. */
function convertEither({ alternatives }: EitherSchema, value: JsonValue): JsonValue {
  const isStruct = isJsonObject(value);
  for (const alternative of alternatives) {
    if (alternative.type === "struct" && isStruct) return decodeInto(alternative, value).object;
    if (alternative.type === "list" && Array.isArray(value)) {
      const { items } = alternative;
      return value.map((item: JsonValue) =>
        items.type === "struct" ? decodeInto(items, item).object : item,
      );
    }
    if (alternative.type === "scalar" && typeof value === "boolean") return value;
  }
  throw new DecodeError("boolean or JSON schema expected");
}
