import { expect, test } from "vitest";
import { isJsonObject, type JsonValue } from "../json.ts";
import type { GoShape, GoStruct, GoStructField } from "./go-shape.ts";
import { goShapeJson } from "./go-shape-json.ts";
import { goShapeText } from "./go-shape-text.ts";

const text: GoShape = { kind: "text" };
const number: GoShape = { kind: "number" };
const boolean: GoShape = { kind: "boolean" };
const time: GoShape = { kind: "time" };
const texts: GoShape = { kind: "slice", type: "[]string", element: text };
const textMap: GoShape = { kind: "map", type: "map[string]string", keyMark: "", values: text };

function pointer(target: string, to: GoShape): GoShape {
  return { kind: "pointer", target, to };
}

function struct(type: string, ...fields: readonly GoStructField[]): GoStruct {
  return { kind: "struct", type, fields: () => fields, isWhole: false };
}

function field(name: string, shape: GoShape): GoStructField {
  const key = name.toLowerCase();
  return { name, shape, read: (value) => (isJsonObject(value) ? value[key] : undefined) };
}

/** A field with a JSON tag. */
function tagged(name: string, shape: GoShape, omitsZero: boolean): GoStructField {
  return { ...field(name, shape), tag: { name: name.toLowerCase(), omitsZero } };
}

const source = struct("x.Source", field("Path", pointer("string", text)));
const volume = struct("x.Volume", field("Name", text), {
  name: "Source",
  shape: source,
  read: (value) => value,
  isEmbedded: true,
});
const reference = struct("v1.Reference", tagged("Kind", text, false), tagged("Names", texts, true));

test.each<[title: string, shape: GoShape, value: JsonValue | undefined, text: string, json: string]>([
  ["a text", text, 'a"b', '"a\\"b"', '"a\\"b"'],
  ["an unset text", text, undefined, '""', '""'],
  ["a number", number, -3, "-3", "-3"],
  ["an unset number", number, undefined, "0", "0"],
  ["a large number", number, 9007199254740993n, "9007199254740993", "9007199254740993"],
  ["a boolean", boolean, true, "true", "true"],
  ["an unset boolean", boolean, undefined, "false", "false"],
  [
    "a time",
    time,
    "2024-05-01T10:00:00Z",
    "time.Date(2024, time.May, 1, 10, 0, 0, 0, time.Local)",
    '"2024-05-01T10:00:00Z"',
  ],
  ["an unset time", time, undefined, "time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)", "null"],
  ["a pointer to an unset time", pointer("v1.Time", time), undefined, "<nil>", "null"],
  [
    "an extension",
    { kind: "raw" },
    { a: 1 },
    "runtime.RawExtension{Raw:[]uint8{0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x7d}, Object:runtime.Object(nil)}",
    '{"a":1}',
  ],
  ["a pointer to nothing", pointer("int32", number), undefined, "(*int32)(nil)", "null"],
  ["a pointer", pointer("int32", number), 0, "(*int32)(0xc000000000)", "0"],
  [
    "a pointer to a structure",
    pointer("x.Source", source),
    { path: "/" },
    "(*x.Source)(0xc000000000)",
    '{"Path":"/"}',
  ],
  ["an unset list", texts, undefined, "[]string(nil)", "null"],
  ["an empty list", texts, [], "[]string{}", "[]"],
  ["a list", texts, ["a", "b"], '[]string{"a", "b"}', '["a","b"]'],
  [
    "a list of structures",
    { kind: "slice", type: "[]x.Source", element: source },
    [{}],
    "[]x.Source{x.Source{Path:(*string)(nil)}}",
    '[{"Path":null}]',
  ],
  ["an unset map", textMap, undefined, "map[string]string(nil)", "null"],
  ["an empty map", textMap, {}, "map[string]string{}", "{}"],
  [
    "a map, in the order of its keys",
    textMap,
    { b: "2", a: "1" },
    'map[string]string{"a":"1", "b":"2"}',
    '{"a":"1","b":"2"}',
  ],
  [
    "a structure whose fields stand in another in JSON",
    volume,
    { name: "v", path: "/" },
    'x.Volume{Name:"v", Source:x.Source{Path:(*string)(0xc000000000)}}',
    '{"Name":"v","Path":"/"}',
  ],
  [
    "a structure with JSON tags",
    reference,
    { names: ["a"] },
    'v1.Reference{Kind:"", Names:[]string{"a"}}',
    '{"kind":"","names":["a"]}',
  ],
  [
    "an unset field with a JSON tag",
    reference,
    { kind: "k" },
    'v1.Reference{Kind:"k", Names:[]string(nil)}',
    '{"kind":"k"}',
  ],
])("%s prints as Go prints it", (_title, shape, value, printed, json) => {
  expect(goShapeText(shape, value)).toBe(printed);
  expect(goShapeJson(shape, value)).toBe(json);
});
