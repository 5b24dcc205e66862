import { expect, test } from "vitest";
import { parseYaml, readYaml } from "./yaml.ts";

// sigs.k8s.io/yaml formats float64 keys as float32.
test.each([
  ["3148e3", "3.148e+06"],
  ["1234.0", "1234"],
  ["-5_939_.0E+3", "-5.939e+06"],
  ["18446744073709551616", "1.8446744e+19"],
  ["456789.125", "456789.12"],
  ["456789.375", "456789.38"],
  ["1.1", "1.1"],
  [".9e308", ".inf"],
  ["-.9e308", "-.inf"],
  [".nan", ".nan"],
  ["-0.0", "-0"],
  ["1e-50", "0"],
])("the float key %s becomes %s", (written, key) => {
  expect(parseYaml(`${written}: x`)).toEqual({ [key]: "x" });
});

test("a float and an integer of the same value are two keys", () => {
  expect(readYaml("1: a\n1.0: b\n").strictErrors).toEqual([]);
  expect(readYaml("1.0: a\n1.0: b\n").strictErrors).toHaveLength(1);
});

test("NaN is never a duplicate key", () => {
  expect(readYaml(".nan: a\n.nan: b\n").strictErrors).toEqual([]);
});

test("a duplicate null key is printed as <nil>", () => {
  const message = "yaml: unmarshal errors:\n  line 2: key <nil> already set in map";
  expect(readYaml("{a: {~: 1, \n~: 2}, a: 3}").strictErrors).toEqual([
    `${message}\n  line 2: key "a" already set in map`,
  ]);
});

test("an integer beyond int64 cannot be a key", () => {
  const message = 'unsupported map key of type: uint64, key: 0xffffffffffffffff, value: "x"';
  expect(() => parseYaml("18446744073709551615: x")).toThrow(message);
  expect(() => parseYaml("0xffffffffffffffff: {a: 1}")).toThrow(/value: map\[interface \{\}\]interface \{\}/);
});

test("a mapping in an error has its keys sorted by type and value, as Go prints it", () => {
  const mapping =
    "{s: f, 18446744073709551615: c, 1: b, -3: h, 10: i, 1.5: a, -.inf: i, .nan: g, yes: d, no: e, ~: j}";
  const shown =
    'interface {}(nil):"j", false:"e", true:"d", NaN:"g", -Inf:"i", 1.5:"a", -3:"h", 1:"b", 10:"i", "s":"f", 0xffffffffffffffff:"c"';
  const message = `yaml: invalid map key: map[interface {}]interface {}{${shown}}`;
  expect(() => parseYaml(`{${mapping}: x}`)).toThrow(message);
});
