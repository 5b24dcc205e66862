import { type JsonObject, type JsonValue, type MutableJsonObject, setKey } from "../../apimachinery/json.ts";
import { constructedTypeName } from "../../cel/values/constructed-object.ts";
import { isList, isPlainObject } from "../../cel/values/containers.ts";
import { toJsonValue } from "../../cel/values/to-json.ts";
import { typeOf } from "../../cel/values/type-of.ts";
import { type CelValue, MapValue, type PlainObject } from "../../cel/values/value.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { JsonPatchOperation } from "../../patch/json-patch.ts";

/** A mutation cannot be made; the failure policy decides about the request. */
export class MutationError extends Error {
  override readonly name = "MutationError";
}

/**
 * The configuration that an expression constructed. Upstream: apiserver, plugin/policy/mutating/patch/smd.go.
 * @throws {MutationError} for types that are not named after their fields
 */
export function configurationOf(value: CelValue): JsonObject {
  if (!isPlainObject(value)) {
    throw new MutationError(
      `unsupported return type from ApplyConfiguration expression: ${typeOf(value).name}`,
    );
  }
  checkTypeNames(value);
  // Upstream takes a map in a list or in a map for a scalar.
  return objectOf(value, (map) => `map[${encodeJson(toJsonValue(map))}]`);
}

/**
 * The operations that an expression constructed. Upstream: apiserver, plugin/policy/mutating/patch/json_patch.go.
 * @throws {MutationError} for types that are not named after their fields
 */
export function jsonPatchOf(value: CelValue, expression: string): readonly JsonPatchOperation[] {
  if (!isList(value)) {
    throw new MutationError("type mismatch: JSONPatchType.expression should evaluate to array");
  }
  return value.map((operation) => operationOf(operation, expression));
}

function operationOf(operation: CelValue, expression: string): JsonPatchOperation {
  if (!isPlainObject(operation) || constructedTypeName(operation) !== "JSONPatch") {
    const expected = "JSONPatchType.expression should evaluate to array of JSONPatch";
    throw new MutationError(`type mismatch: ${expected}, got element of ${typeOf(operation).name}`);
  }
  const textOf = (field: "op" | "path" | "from"): string => {
    const text = operation[field] ?? "";
    if (typeof text === "string") return text;
    const problem = `unexpected type ${goTypes.get(typeOf(text).name) ?? "interface {}"} for JSONPatchType '${field}' field`;
    throw new MutationError(`expression '${expression}' resulted in error: ${problem}`);
  };
  const { value } = operation;
  return {
    op: textOf("op"),
    path: textOf("path"),
    from: textOf("from") || undefined,
    value: value === undefined ? "null" : encodeJson(patchValue(value)),
  };
}

/** The Go types of the values of some CEL types. */
const goTypes: ReadonlyMap<string, string> = new Map([
  ["int", "int64"],
  ["uint", "uint64"],
  ["double", "float64"],
  ["bool", "bool"],
  ["null_type", "structpb.NullValue"],
]);

function patchValue(value: CelValue): JsonValue {
  if (!isPlainObject(value) || constructedTypeName(value) === undefined)
    return protoValue(toJsonValue(value));
  checkTypeNames(value);
  return objectOf(value, () => {
    const problem = "proto: invalid type: map[ref.Val]ref.Val";
    throw new MutationError(
      `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${problem}`,
    );
  });
}

/** Integers that a double cannot represent are texts in a `google.protobuf.Value`. */
function protoValue(value: JsonValue): JsonValue {
  return typeof value === "bigint" ? String(value) : value;
}

/** How upstream sees a map that an expression made within a list or a map. */
type NestedMap = (map: MapValue) => JsonValue;

/** Upstream: apiserver, pkg/cel/mutation/dynamic/objects.go, ConvertToNative. */
function objectOf(object: PlainObject, nestedMap: NestedMap): JsonObject {
  const result: MutableJsonObject = {};
  for (const [field, value] of Object.entries(object)) setKey(result, field, fieldOf(value, nestedMap));
  return result;
}

function fieldOf(value: CelValue, nestedMap: NestedMap): JsonValue {
  if (isList(value)) return value.map((item) => nativeOf(item, nestedMap));
  if (!(value instanceof MapValue)) return nativeOf(value, nestedMap);
  const result: MutableJsonObject = {};
  for (const [key, item] of value.entries.values()) {
    if (typeof key !== "string") throw new MutationError("invalid return type: *dynamic.ObjectVal");
    setKey(result, key, nativeOf(item, nestedMap));
  }
  return result;
}

function nativeOf(value: CelValue, nestedMap: NestedMap): JsonValue {
  if (value instanceof MapValue) return nestedMap(value);
  const isConstructed = isPlainObject(value) && constructedTypeName(value) !== undefined;
  return isConstructed ? objectOf(value, nestedMap) : toJsonValue(value);
}

/** @throws {MutationError} */
function checkTypeNames(object: PlainObject): void {
  const problems: string[] = [];
  addTypeNames(problems, object, constructedTypeName(object) ?? "Object");
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join("\n")}`);
}

/** Adds the objects whose type is not named after the fields that lead to them. Lists and maps have no names. */
function addTypeNames(problems: string[], value: CelValue, path: string): void {
  if (isList(value)) for (const item of value) addTypeNames(problems, item, path);
  else if (value instanceof MapValue) {
    for (const [, item] of value.entries.values()) addTypeNames(problems, item, path);
  } else if (isPlainObject(value)) addTypeName(problems, value, path);
}

function addTypeName(problems: string[], object: PlainObject, path: string): void {
  const name = constructedTypeName(object);
  // Objects of the input have no names, and nothing that an expression constructed.
  if (name === undefined) return;
  if (name !== path) {
    const expected = `expected "${path}", which matches field name path from root Object type`;
    problems.push(`unexpected type name "${name}", ${expected}`);
  }
  for (const [field, value] of Object.entries(object)) addTypeNames(problems, value, `${path}.${field}`);
}
