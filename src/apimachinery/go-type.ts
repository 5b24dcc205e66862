import { goQuote } from "./go-quote.ts";
import { type GoValue, go, goNumber } from "./go-value.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { parseQuantity } from "./quantity.ts";
import { sortedKeys } from "./text-order.ts";

/** Prints a JSON value as Go's `%#v` prints the same value of one Go type; undefined is what was not set. */
export type GoType = (value: JsonValue | undefined) => string;

/** A field of a Go structure, the JSON field it is read from, and its type. A structure inlined in JSON has no JSON field. */
export type GoField = readonly [name: string, jsonName: string | undefined, type: GoType];

/** A value as a finding shows it, by its Go type; a pointer to nothing shows as `"null"`. */
export function typedValue(type: GoType, value: JsonValue | undefined): GoValue | undefined {
  return value === undefined || value === null ? undefined : go.raw(type(value));
}

/** A string, or a type of its own over string. */
export const goText: GoType = (value) => goQuote(typeof value === "string" ? value : "");

/** An integer of any size. */
export const goInteger: GoType = (value) =>
  typeof value === "bigint" ? String(value) : goNumber(typeof value === "number" ? value : 0);

export const goBoolean: GoType = (value) => String(value === true);

/** A quantity, whose innards `%#v` shows. */
export const goQuantity: GoType = (value) => {
  const text = typeof value === "string" ? value : "0";
  const { value: amount, scale, format } = parseQuantity(text);
  // Upstream does not look at what a plain zero is written in.
  const small = `resource.int64Amount{value:${amount}, scale:${scale}}`;
  return `resource.Quantity{i:${small}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${goQuote(text)}, Format:${goQuote(text === "0" ? "" : format)}}`;
};

/** A number or a text, such as a port or a share. */
export const goIntOrString: GoType = (value) =>
  typeof value === "string"
    ? `intstr.IntOrString{Type:1, IntVal:0, StrVal:${goQuote(value)}}`
    : `intstr.IntOrString{Type:0, IntVal:${goInteger(value)}, StrVal:""}`;

/** A pointer inside a value: the address of what is set cannot be known, and means nothing. */
export function goPointer(type: string): GoType {
  return (value) => (value === undefined || value === null ? `(*${type})(nil)` : `(*${type})(0xc000000000)`);
}

export function goStruct(name: string, fields: readonly GoField[]): GoType {
  return (value) => {
    const object: JsonObject = isJsonObject(value) ? value : {};
    const texts = fields.map(([field, jsonName, type]) => {
      return `${field}:${type(jsonName === undefined ? object : object[jsonName])}`;
    });
    return `${name}{${texts.join(", ")}}`;
  };
}

/** A list; one that is empty was not kept, so it is nil. */
export function goSlice(name: string, element: GoType): GoType {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return `[]${name}(nil)`;
    return `[]${name}{${value.map(element).join(", ")}}`;
  };
}

/** A map, in the order of its keys. `name` is its type: `map[string]string`. */
export function goMap(name: string, element: GoType): GoType {
  return (value) => {
    if (!isJsonObject(value) || Object.keys(value).length === 0) return `${name}(nil)`;
    const keys = sortedKeys(value);
    const entries = keys.map((key) => `${goQuote(key)}:${element(value[key])}`);
    return `${name}{${entries.join(", ")}}`;
  };
}

export const goTexts: GoType = goSlice("string", goText);
export const goTextMap: GoType = goMap("map[string]string", goText);

const labelSelectorRequirement = goStruct("v1.LabelSelectorRequirement", [
  ["Key", "key", goText],
  ["Operator", "operator", goText],
  ["Values", "values", goTexts],
]);

/** The selector of a workload. */
export const goLabelSelector: GoType = goStruct("v1.LabelSelector", [
  ["MatchLabels", "matchLabels", goTextMap],
  ["MatchExpressions", "matchExpressions", goSlice("v1.LabelSelectorRequirement", labelSelectorRequirement)],
]);
