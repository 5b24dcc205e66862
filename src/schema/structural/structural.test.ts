import { describe, expect, test } from "vitest";
import { fieldCauses, formatFieldError } from "../../apimachinery/errors/field.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import { collectErrors } from "../../apimachinery/validation/findings.ts";
import { withDefaults } from "./defaulting.ts";
import { addListErrors } from "./list-validation.ts";
import { pruneObject } from "./pruning.ts";
import { findFieldPath } from "./schema-field-path.ts";
import { structural } from "./structural-schema.ts";
import { hasFormat } from "./value-formats.ts";
import { addValueErrors } from "./value-validation.ts";

const text = { type: "string" };
const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

describe("pruning", () => {
  test.each<
    [title: string, schema: JsonObject, sent: JsonObject, kept: JsonObject, dropped: readonly string[]]
  >([
    [
      "drops unknown fields at every level",
      object({ a: object({ b: text }) }),
      { a: { b: "x", c: 1 }, d: 1 },
      { a: { b: "x" } },
      ["a.c", "d"],
    ],
    [
      "keeps type and metadata of the whole object alone",
      object({ a: object({}) }),
      { kind: "K", metadata: {}, a: { kind: "K" } },
      { kind: "K", metadata: {}, a: {} },
      ["a.kind"],
    ],
    [
      "keeps those of an embedded resource",
      object({ a: object({}, { "x-kubernetes-embedded-resource": true }) }),
      { a: { kind: "K", x: 1 } },
      { a: { kind: "K" } },
      ["a.x"],
    ],
    [
      "keeps what is preserved, but for declared parts",
      object({ a: { ...open, properties: { b: object({}) } } }),
      { a: { x: { y: 1 }, b: { z: 1 } } },
      { a: { x: { y: 1 }, b: {} } },
      ["a.b.z"],
    ],
    [
      "looks into lists and maps",
      object({
        l: { type: "array", items: object({ a: text }) },
        m: { type: "object", additionalProperties: object({}) },
      }),
      { l: [{ a: "x", b: 1 }], m: { k: { b: 1 } } },
      { l: [{ a: "x" }], m: { k: {} } },
      ["l[0].b", "m.k.b"],
    ],
    [
      "drops null where it is neither allowed nor defaulted",
      object({ a: text, b: { ...text, nullable: true }, c: { ...text, default: "x" } }),
      { a: null, b: null, c: null },
      { b: null, c: null },
      [],
    ],
  ])("%s", (_title, schema, sent, kept, dropped) => {
    expect(pruneObject(sent, structural(schema))).toEqual({ value: kept, dropped });
  });
});

describe("defaulting", () => {
  const schema = object({
    a: { ...text, default: "x" },
    o: object({ b: { ...text, default: "y" } }),
    d: object({ c: { ...text, default: "z" } }, { default: {} }),
    n: { ...text, nullable: true, default: "n" },
    l: { type: "array", items: object({ e: { type: "integer", default: 1 } }) },
  });

  test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
    ["fills in missing keys, within defaults too", {}, { a: "x", d: { c: "z" }, n: "n" }],
    [
      "goes into parts that are there",
      { o: {}, l: [{}] },
      { a: "x", d: { c: "z" }, n: "n", o: { b: "y" }, l: [{ e: 1 }] },
    ],
    ["replaces null that is not allowed", { a: null, n: null }, { a: "x", d: { c: "z" }, n: null }],
  ])("%s", (_title, sent, expected) => {
    expect(withDefaults(sent, structural(schema))).toEqual(expected);
  });

  test("returns the same object if nothing is missing", () => {
    const complete = { a: "1", d: { c: "2" }, n: "3" };
    expect(withDefaults(complete, structural(schema))).toBe(complete);
  });
});

function errorsOf(schema: JsonObject, value: JsonValue, old?: JsonValue): readonly string[] {
  const since = sinceOf("1.32");
  const errors = collectErrors((found) => {
    addValueErrors(found, schema, value, "spec", since, old);
    addListErrors(found, structural(schema), value, "spec");
  });
  const noTypes = () => {
    throw new Error("these errors show plain values");
  };
  return fieldCauses(errors, since, noTypes).map(formatFieldError);
}

describe("validation", () => {
  test.each<[title: string, schema: JsonObject, value: JsonValue, errors: readonly string[]]>([
    ["accepts whole numbers as numbers", { type: "number" }, 1, []],
    [
      "refuses fractions as integers",
      { type: "integer" },
      1.5,
      ['spec: Invalid value: "number": spec in body must be of type integer: "number"'],
    ],
    [
      "accepts null only if the schema does",
      { type: "string" },
      null,
      ['spec: Invalid value: "null": spec in body must be of type string: "null"'],
    ],
    [
      "reports one error of a text",
      { ...text, minLength: 3, pattern: "^b" },
      "a",
      ['spec: Invalid value: "a": spec in body should be at least 3 chars long'],
    ],
    ["counts characters", { ...text, maxLength: 1 }, "\u{1f600}", []],
    [
      "reports all errors of a number",
      { type: "integer", multipleOf: 2, minimum: 5 },
      3,
      [
        "spec: Invalid value: 3: spec in body should be a multiple of 2",
        "spec: Invalid value: 3: spec in body should be greater than or equal to 5",
      ],
    ],
    [
      "knows exclusive bounds",
      { type: "integer", maximum: 3, exclusiveMaximum: true },
      3,
      ["spec: Invalid value: 3: spec in body should be less than 3"],
    ],
    ["reports missing keys", object({}, { required: ["a"] }), {}, ["spec.a: Required value"]],
    [
      "counts properties and looks at them",
      { type: "object", maxProperties: 1, additionalProperties: { type: "integer" } },
      { a: "x", b: 1 },
      [
        "spec: Too many: 2: must have at most 1 items",
        'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      ],
    ],
    [
      "needs one of oneOf",
      { type: "integer", oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      3,
      [
        '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    ],
    [
      "reports the closest of anyOf",
      { type: "integer", anyOf: [{ minimum: 5 }] },
      3,
      [
        '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
        "spec: Invalid value: 3: spec in body should be greater than or equal to 5",
      ],
    ],
    [
      "refuses what not describes",
      { type: "integer", not: { minimum: 1 } },
      3,
      ['<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
    ],
    [
      "reports a repeated item of a set once",
      { type: "array", "x-kubernetes-list-type": "set", items: text },
      ["a", "a", "a"],
      ['spec[1]: Duplicate value: "a"'],
    ],
  ])("%s", (_title, schema, value, errors) => {
    expect(errorsOf(schema, value)).toEqual(errors);
  });

  test("tolerates errors in parts that have not changed", () => {
    const schema = object({ a: { type: "integer", maximum: 1 }, b: { type: "integer", maximum: 1 } });
    expect(errorsOf(schema, { a: 2, b: 3 }, { a: 2, b: 1 })).toEqual([
      "spec.b: Invalid value: 3: spec.b in body should be less than or equal to 1",
    ]);
  });
});

describe("a format", () => {
  test.each<[format: string, valid: string, invalid: string]>([
    ["date-time", "2026-01-02T03:04:05Z", "2026-01-02 03:04:05Z"],
    ["date", "2024-02-29", "2023-02-29"],
    ["ipv4", "1.2.3.4", "::1"],
    ["ipv6", "::1", "1.2.3.4"],
    ["uuid4", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47ac10b-58cc-1372-a567-0e02b2c3d479"],
    ["isbn10", "0306406152", "0306406153"],
    ["creditcard", "4111 1111 1111 1111", "4111 1111 1111 1112"],
    ["rgbcolor", "rgb(1, 2, 255)", "rgb(1, 2, 256)"],
    ["byte", "YWJj", "YWJ"],
    ["duration", "1h30m", "soon"],
    ["mac", "01:02:03:0a:0b:0c", "01:02:03"],
  ])("%s accepts %s and refuses %s", (format, valid, invalid) => {
    expect([hasFormat(valid, format), hasFormat(invalid, format)]).toEqual([true, false]);
  });

  test("that is not known is not checked", () => {
    expect(hasFormat("x", "int-or-string")).toBe(undefined);
  });
});

test.each([
  [".a.b", ["a", "b"]],
  [".a['b']", ["a", "b"]],
  [".a.c", "does not refer to a valid field"],
  ["a", "expected [ or . but got: a"],
])("the path %s is found or refused", (path, expected) => {
  const found = findFieldPath(path, structural(object({ a: object({ b: text }) })));
  expect(typeof found === "string" ? found : found.names).toEqual(expected);
});
