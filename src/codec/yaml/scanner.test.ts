import { expect, test } from "vitest";
import { parseYaml } from "./yaml.ts";

// Upstream forgets that an empty flow collection may be a key.
test.each([
  ["{}: 1", {}],
  ["[]: x\na: 1", []],
  ["[ ]!'&  ' - x]\n---\n", []],
  ["[? 1 : ]X,a : b", [{ "1": null }]],
])("an empty flow collection as the first key is the whole document: %j", (text, value) => {
  expect(parseYaml(text)).toEqual(value);
});

test.each([
  ["- {}: 1\n- b", "yaml: did not find expected '-' indicator"],
  ["a:\n  {}: 1\nb: 1", "yaml: line 1: did not find expected key"],
  ["a: []\n[]: 2", "yaml: line 1: did not find expected key"],
  ["{ ? b : X] `", "yaml: did not find expected ',' or '}'"],
  ["{a}: 1", 'yaml: invalid map key: map[interface {}]interface {}{"a":interface {}(nil)}'],
  ["{[]: 1}", "yaml: invalid map key: []interface {}{}"],
  ["{{}: 1}", "yaml: invalid map key: map[interface {}]interface {}{}"],
])("a flow collection as a key is refused elsewhere: %j", (text, message) => {
  expect(() => parseYaml(text)).toThrow(message);
});
