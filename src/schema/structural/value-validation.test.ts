import { describe, expect, test } from "vitest";
import { fieldCauses, formatFieldError } from "../../apimachinery/errors/field.ts";
import { noGoTypes } from "../../apimachinery/go/go-shape.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import { collectErrors } from "../../apimachinery/validation/findings.ts";
import { withDefaults } from "./defaulting.ts";
import { addListErrors } from "./list-validation.ts";
import { pruneObject } from "./pruning.ts";
import { structural } from "./structural-schema.ts";
import { addValueErrors } from "./value-validation.ts";

/** The errors of an object whose field `a` has the schema, in the order of their texts, since upstream's order is random. */
function errorsOf(schema: JsonObject, value: JsonValue, release: Release = "1.32"): readonly string[] {
  const source = { type: "object", properties: { a: schema } };
  const root = structural(source);
  const since = sinceOf(release);
  const object = withDefaults(pruneObject({ a: value }, root).value, root);
  const errors = collectErrors((found) => {
    addValueErrors(found, source, object, "", since);
    addListErrors(found, root, object, "");
  });
  return fieldCauses(errors, since, noGoTypes).map(formatFieldError).toSorted();
}

const invalid = (value: string, rule: string): string => `a: Invalid value: ${value}: a in body ${rule}`;
const wrongType = (expected: string, actual: string): string =>
  invalid(`"${actual}"`, `must be of type ${expected}: "${actual}"`);

/** The answers are those of kube-openapi and apiextensions-apiserver of 1.32 to the same schemas and values. */
describe("a number", () => {
  test.each<[title: string, schema: JsonObject, value: number | bigint, errors: readonly string[]]>([
    ["is a multiple though binary fractions are not exact", { multipleOf: 0.1 }, 0.3, []],
    ["is no multiple", { multipleOf: 0.1 }, 0.35, [invalid("0.35", "should be a multiple of 0.1")]],
    [
      "is no multiple by Go's division",
      { multipleOf: 0.01 },
      4.35,
      [invalid("4.35", "should be a multiple of 0.01")],
    ],
    [
      "that is an integer needs a factor that is one",
      { multipleOf: 0.5 },
      3,
      ["a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0"],
    ],
    [
      "that is an integer divides by the integer",
      { multipleOf: 2.5 },
      5,
      [invalid("5", "should be a multiple of 2")],
    ],
    ["that is an integer passes a bound without its fraction", { minimum: 1.5 }, 1, []],
    [
      "that is an integer fails it",
      { maximum: -2.5 },
      1,
      [invalid("1", "should be less than or equal to -2")],
    ],
    [
      "that is an integer fails the smallest, which a bound beyond int64 becomes",
      { maximum: 1e21 },
      0,
      [invalid("0", "should be less than or equal to -9223372036854775808")],
    ],
    [
      "beyond the exact ones of a double is compared exactly",
      { exclusiveMaximum: true, maximum: 9007199254740992 },
      9007199254740991n,
      [],
    ],
    [
      "with a fraction keeps the fraction of the bound",
      { minimum: 4294967296 },
      0.1,
      [invalid("0.1", "should be greater than or equal to 4.294967296e+09")],
    ],
  ])("%s", (_title, rules, value, errors) => {
    expect(errorsOf({ type: "number", ...rules }, value)).toEqual(errors);
  });

  test("beyond the exact integers of a double is no integer", () => {
    expect(errorsOf({ type: "integer" }, 1e21)).toEqual([wrongType("integer", "number")]);
    expect(errorsOf({ type: "integer" }, 9223372036854775807n)).toEqual([]);
  });

  test("next to an integer is an integer", () => {
    expect(errorsOf({ type: "integer" }, 3.000000001)).toEqual([]);
    expect(errorsOf({ type: "integer" }, 3.00000001)).toEqual([wrongType("integer", "number")]);
  });
});

describe("a format", () => {
  test.each<[value: JsonValue, errors: readonly string[]]>([
    [1, [invalid('"int64"', 'must be of type date-time: "int64"')]],
    [1.5, [invalid('"float64"', 'must be of type date-time: "float64"')]],
    [true, [invalid('""', 'must be of type date-time: ""')]],
    [{}, [invalid('""', 'must be of type date-time: ""')]],
    [["x"], []],
  ])("names the type that %j is not", (value, errors) => {
    expect(errorsOf({ type: "string", format: "date-time" }, value)).toEqual(errors);
  });

  test("that is not known leaves the type", () => {
    expect(errorsOf({ type: "string", format: "zork" }, 1)).toEqual([wrongType("string", "integer")]);
    expect(errorsOf({ type: "integer", format: "int32" }, 4294967296)).toEqual([]);
  });
});

describe("an enum", () => {
  test("takes a number whose integer it lists", () => {
    expect(errorsOf({ type: "number", enum: [1, 3] }, 1.5)).toEqual([]);
    expect(errorsOf({ type: "number", enum: [1.5] }, 1)).toEqual([
      'a: Unsupported value: 1: supported values: "1.5"',
    ]);
  });

  test("never takes null", () => {
    const list = { type: "array", items: { type: "string", nullable: true, enum: ["x", null] } };
    expect(errorsOf(list, [null])).toEqual([
      'a[0]: Unsupported value: "null": supported values: "x", "null"',
    ]);
  });
});

test("null in a map without null is dropped", () => {
  const numbers = { type: "object", additionalProperties: { type: "number" }, maxProperties: 1 };
  expect(errorsOf(numbers, { b: null, c: 1 })).toEqual([]);
  const nullable = { ...numbers, additionalProperties: { type: "number", nullable: true } };
  expect(errorsOf(nullable, { b: null, c: 1 })).toEqual(["a: Too many: 2: must have at most 1 items"]);
});

describe("a map list", () => {
  const items = { type: "object", required: ["k"], properties: { k: { type: "integer" } }, nullable: true };
  const keys = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] };

  test("has objects as items", () => {
    expect(errorsOf({ type: "array", items, ...keys }, [{ k: 1 }, true, { k: 1 }])).toEqual([
      'a[1]: Invalid value: "boolean": a[1] in body must be of type object: "boolean"',
      "a[1]: Invalid value: true: must be an object for an array of list-type map",
    ]);
  });

  test("takes null for an item without keys", () => {
    expect(errorsOf({ type: "array", items, ...keys }, [null, {}])).toEqual([
      "a[1].k: Required value",
      "a[1]: Duplicate value: map[string]interface {}{}",
    ]);
  });

  test("within a map is found by its key", () => {
    const lists = { type: "object", additionalProperties: { type: "array", items, ...keys } };
    expect(errorsOf(lists, { b: [{ k: 1 }, { k: 1 }] })).toEqual([
      'a[b][1]: Duplicate value: map[string]interface {}{"k":1}',
    ]);
  });
});

describe("alternatives", () => {
  test("report an error once", () => {
    const schema = { type: "object", required: ["b"], allOf: [{ required: ["b"] }, {}] };
    expect(errorsOf(schema, {})).toEqual([
      '<nil>: Invalid value: "": "a" must validate all the schemas (allOf)',
      "a.b: Required value",
    ]);
  });

  test("report the one with the most checks", () => {
    const oneOf = [{ pattern: "^\\d+$" }, { pattern: "x", format: "bsonobjectid" }];
    expect(errorsOf({ type: "string", oneOf }, "-")).toEqual(
      [
        '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid',
        invalid('"-"', "should match 'x'"),
        invalid('"-"', 'must be of type bsonobjectid: "-"'),
      ].toSorted(),
    );
  });
});

describe("before", () => {
  test("1.28, the number of properties stands alone", () => {
    const schema = { type: "object", minProperties: 1, required: ["b"] };
    const count = "a: Invalid value: 0: a in body should have at least 1 properties";
    expect(errorsOf(schema, {}, "1.27")).toEqual([count]);
    expect(errorsOf(schema, {}, "1.28")).toEqual(["a.b: Required value", count].toSorted());
  });

  test("1.32, the length of a text has other words", () => {
    const schema = { type: "string", maxLength: 1 };
    expect(errorsOf(schema, "xx", "1.31")).toEqual(["a: Too long: may not be longer than 1"]);
    expect(errorsOf(schema, "xx", "1.32")).toEqual(["a: Too long: may not be more than 1 bytes"]);
  });
});
