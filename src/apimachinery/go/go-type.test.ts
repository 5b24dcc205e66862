import { expect, test } from "vitest";
import type { JsonValue } from "../json.ts";
import {
  type GoType,
  goBoolean,
  goInteger,
  goIntOrString,
  goLabelSelector,
  goPointer,
  goQuantity,
  goSlice,
  goStruct,
  goText,
  goTextMap,
  goTexts,
  typedValue,
} from "./go-type.ts";
import { formatShownValue } from "./go-value.ts";

const source = goStruct("x.Source", [["Path", "path", goPointer("string")]]);
const volume = goStruct("x.Volume", [
  ["Name", "name", goText],
  ["Source", undefined, source],
]);

test.each<[title: string, type: GoType, value: JsonValue | undefined, text: string, json: string]>([
  ["a text", goText, 'a"b', '"a\\"b"', '"a\\"b"'],
  ["an unset text", goText, undefined, '""', '""'],
  ["a number", goInteger, -3, "-3", "-3"],
  ["an unset number", goInteger, undefined, "0", "0"],
  ["a large number", goInteger, 9007199254740993n, "9007199254740993", "9007199254740993"],
  ["a boolean", goBoolean, true, "true", "true"],
  ["an unset boolean", goBoolean, undefined, "false", "false"],
  ["a number that may be a text", goIntOrString, 5, 'intstr.IntOrString{Type:0, IntVal:5, StrVal:""}', "5"],
  [
    "a text that may be a number",
    goIntOrString,
    "5%",
    'intstr.IntOrString{Type:1, IntVal:0, StrVal:"5%"}',
    '"5%"',
  ],
  ["a pointer to nothing", goPointer("int32"), undefined, "(*int32)(nil)", "null"],
  ["a pointer", goPointer("int32"), 0, "(*int32)(0xc000000000)", "0"],
  [
    "a pointer to a structure",
    goPointer("x.Source", source),
    { path: "/" },
    "(*x.Source)(0xc000000000)",
    '{"Path":"/"}',
  ],
  ["an unset list", goTexts, undefined, "[]string(nil)", "null"],
  ["a list", goTexts, ["a", "b"], '[]string{"a", "b"}', '["a","b"]'],
  [
    "a list of structures",
    goSlice("x.Source", source),
    [{}],
    "[]x.Source{x.Source{Path:(*string)(nil)}}",
    '[{"Path":null}]',
  ],
  ["an unset map", goTextMap, {}, "map[string]string(nil)", "null"],
  [
    "a map, in the order of its keys",
    goTextMap,
    { b: "2", a: "1" },
    'map[string]string{"a":"1", "b":"2"}',
    '{"a":"1","b":"2"}',
  ],
  [
    "a structure that is inlined in JSON",
    volume,
    { name: "v", path: "/" },
    'x.Volume{Name:"v", Source:x.Source{Path:(*string)(0xc000000000)}}',
    '{"Name":"v","Path":"/"}',
  ],
  [
    "a quantity",
    goQuantity,
    "100m",
    'resource.Quantity{i:resource.int64Amount{value:100, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"100m", Format:"DecimalSI"}',
    '"100m"',
  ],
  [
    "a selector, which has names for JSON",
    goLabelSelector,
    { matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
    'v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"a", Operator:"In", Values:[]string{"b"}}}}',
    '{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}',
  ],
])("%s prints as Go prints it", (_title, type, value, text, json) => {
  expect(type(value)).toBe(text);
  expect(type.json(value)).toBe(json);
});

test("a field error shows a typed value by its type, and an unset one as null", () => {
  expect(formatShownValue(typedValue(goTexts, ["a"]))).toBe('[]string{"a"}');
  expect(formatShownValue(typedValue(goTexts, undefined))).toBe('"null"');
});
