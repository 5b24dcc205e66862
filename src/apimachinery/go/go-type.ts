import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { parseQuantity } from "../quantity.ts";
import { sortedKeys } from "../text-order.ts";
import { goJson } from "./go-json.ts";
import { goQuote } from "./go-quote.ts";
import { type GoValue, go, goNumber } from "./go-value.ts";

type Printer = (value: JsonValue | undefined) => string;

/** Formats a JSON value as Go's `%#v` formats the same value of a Go type; undefined is an unset value. */
export interface GoType extends Printer {
  /** Formats the value as `json.Marshal` does. */
  readonly json: Printer;
}

/** A struct type, which can be embedded in another. */
export interface GoStructType extends GoType {
  /** The fields in JSON, each as `"key":value`. */
  readonly members: (value: JsonValue | undefined) => readonly string[];
}

/** A field of a Go struct: its name, its name in JSON, and its type. An embedded struct has no name in JSON. */
export type GoField = readonly [name: string, jsonName: string | undefined, type: GoType];

/** A value as a field error shows it, by its Go type; undefined for a nil pointer, which shows as `"null"`. */
export function typedValue(type: GoType, value: JsonValue | undefined): GoValue | undefined {
  return value === undefined || value === null ? undefined : plainValue(type, value);
}

/** The same for a type that is not a pointer. */
export function plainValue(type: GoType, value: JsonValue | undefined): GoValue {
  return go.raw(type(value), type.json(value));
}

/** A type that is defined by its two printers. */
export function goType(text: Printer, json: Printer): GoType {
  return Object.assign((value: JsonValue | undefined) => text(value), { json });
}

/** A string, or a named string type. */
export const goText: GoType = goType(
  (value) => goQuote(typeof value === "string" ? value : ""),
  (value) => goJson(value ?? ""),
);

const integer: Printer = (value) =>
  typeof value === "bigint" ? String(value) : goNumber(typeof value === "number" ? value : 0);

/** An integer of any size. */
export const goInteger: GoType = goType(integer, integer);

const boolean: Printer = (value) => String(value === true);

export const goBoolean: GoType = goType(boolean, boolean);

/** A quantity; `%#v` shows its private fields. */
export const goQuantity: GoType = goType(
  (value) => {
    const text = typeof value === "string" ? value : "0";
    const { value: amount, scale, format } = parseQuantity(text);
    // Upstream ignores the format of a plain zero.
    const small = `resource.int64Amount{value:${amount}, scale:${scale}}`;
    return `resource.Quantity{i:${small}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${goQuote(text)}, Format:${goQuote(text === "0" ? "" : format)}}`;
  },
  (value) => goJson(value ?? "0"),
);

/** An `intstr.IntOrString`, such as a port or a percentage. */
export const goIntOrString: GoType = goType(
  (value) =>
    typeof value === "string"
      ? `intstr.IntOrString{Type:1, IntVal:0, StrVal:${goQuote(value)}}`
      : `intstr.IntOrString{Type:0, IntVal:${goInteger(value)}, StrVal:""}`,
  (value) => goJson(value ?? 0),
);

/**
 * A pointer within a value. `%#v` prints its address, which cannot be known and has no meaning. JSON shows the target
 * by its type `target`, or the value as the client sent it if the type is not given.
 */
export function goPointer(type: string, target?: GoType): GoType {
  return goType(
    (value) => (value === undefined || value === null ? `(*${type})(nil)` : `(*${type})(0xc000000000)`),
    (value) => (value === undefined || value === null ? "null" : (target?.json ?? goJson)(value)),
  );
}

/** The fields of meta/v1 types without `omitempty`. Internal types have no JSON tags. */
const alwaysThere: ReadonlyMap<string, readonly string[]> = new Map([
  ["v1.Condition", ["type", "status", "lastTransitionTime", "reason", "message"]],
  ["v1.GroupResource", ["group", "resource"]],
  ["v1.LabelSelectorRequirement", ["key", "operator"]],
  ["v1.OwnerReference", ["apiVersion", "kind", "name", "uid"]],
]);

/** A struct type. The name includes the package: `core.PodSpec`. */
export function goStruct(name: string, fields: readonly GoField[]): GoStructType {
  const isTagged = name.startsWith("v1.");
  const kept = alwaysThere.get(name) ?? [];
  const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
  const members = (value: JsonValue | undefined) => {
    const object = objectOf(value);
    return fields.flatMap(([field, jsonName, type]): readonly string[] => {
      const inner = jsonName === undefined ? object : object[jsonName];
      if (isEmbedded(field, jsonName, type)) return type.members(inner);
      if (!isTagged) return [`${goJson(field)}:${type.json(inner)}`];
      const isLeftOut = isUnset(inner) && !kept.includes(jsonName ?? "");
      return isLeftOut ? [] : [`${goJson(jsonName)}:${type.json(inner)}`];
    });
  };
  const text: Printer = (value) => {
    const object = objectOf(value);
    const texts = fields.map(([field, jsonName, type]) => {
      return `${field}:${type(jsonName === undefined ? object : object[jsonName])}`;
    });
    return `${name}{${texts.join(", ")}}`;
  };
  return Object.assign(
    goType(text, (value) => `{${members(value).join(",")}}`),
    { members },
  );
}

function isEmbedded(field: string, jsonName: string | undefined, type: GoType): type is GoStructType {
  return "members" in type && (jsonName === undefined || field === "ObjectMeta");
}

function isUnset(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) ? Object.keys(value).length === 0 : !value;
}

/** A slice type. An empty list is not stored, so it is nil. */
export function goSlice(name: string, element: GoType): GoType {
  return goType(
    (value) => (isUnset(value) ? `[]${name}(nil)` : `[]${name}{${itemsOf(value).map(element).join(", ")}}`),
    (value) => (isUnset(value) ? "null" : `[${itemsOf(value).map(element.json).join(",")}]`),
  );
}

function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A map type; `name` is its Go name, such as `map[string]string`. Keys are sorted. */
export function goMap(name: string, element: GoType): GoType {
  const entries = (
    value: JsonValue | undefined,
    print: (key: string, inner: JsonValue | undefined) => string,
  ) => (isJsonObject(value) ? sortedKeys(value).map((key) => print(key, value[key])) : []);
  return goType(
    (value) => {
      const texts = entries(value, (key, inner) => `${goQuote(key)}:${element(inner)}`);
      return texts.length === 0 ? `${name}(nil)` : `${name}{${texts.join(", ")}}`;
    },
    (value) => {
      const texts = entries(value, (key, inner) => `${goJson(key)}:${element.json(inner)}`);
      return texts.length === 0 ? "null" : `{${texts.join(",")}}`;
    },
  );
}

export const goTexts: GoType = goSlice("string", goText);
export const goTextMap: GoType = goMap("map[string]string", goText);

const labelSelectorRequirement = goStruct("v1.LabelSelectorRequirement", [
  ["Key", "key", goText],
  ["Operator", "operator", goText],
  ["Values", "values", goTexts],
]);

/** The label selector of a workload. */
export const goLabelSelector: GoType = goStruct("v1.LabelSelector", [
  ["MatchLabels", "matchLabels", goTextMap],
  ["MatchExpressions", "matchExpressions", goSlice("v1.LabelSelectorRequirement", labelSelectorRequirement)],
]);
