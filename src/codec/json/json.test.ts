import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StepCounter } from "../../../test/steps.ts";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import { plainJson, StrictErrors } from "../../apimachinery/go/parsed-json.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { MAX_DEPTH } from "./go-json-error.ts";
import { encodeJson, encodePrettyJson, parseJson, readJson } from "./json.ts";

describe("a JSON body", () => {
  test.each([
    ['{"a":1,"b":[true,false,null,"x"]}', { a: 1, b: [true, false, null, "x"] }],
    ['  {"a" : -0.5e1 }\n', { a: -5 }],
    ['{"a":9007199254740991}', { a: 9007199254740991 }],
    ['{"a":9007199254740993}', { a: 9007199254740993n }],
    ['{"a":-9223372036854775808}', { a: -(2n ** 63n) }],
    ['{"a":9223372036854775808}', { a: 2 ** 63 }],
    ['{"a":1.0,"b":1e3}', { a: 1, b: 1000 }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['["\\ud83d\\ude00"]', ["\u{1f600}"]],
    ['["\\ud83d","\\ude00x","\\ud800\\u0041"]', ["\ufffd", "\ufffdx", "\ufffdA"]],
    ['"\\u0000\\/\\b"', "\0/\b"],
    ["1.5", 1.5],
  ])("%s", (text, value) => {
    expect(parseJson(text)).toEqual(value);
    expect(parseJson(new TextEncoder().encode(text))).toEqual(value);
  });

  test("__proto__ and similar names are ordinary keys", () => {
    const value = parseJson('{"__proto__":{"x":1.5},"constructor":1}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(encodeJson(value)).toBe('{"__proto__":{"x":1.5},"constructor":1}');
  });

  test("each byte that is not UTF-8 becomes one replacement character", () => {
    const bytes = [0x22, 0xe2, 0x82, 0x61, 0xff, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0xc3, 0xa9, 0x22];
    expect(parseJson(new Uint8Array(bytes))).toBe("\ufffd\ufffda\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdé");
  });

  test("parseJson returns the same values as JSON.parse", () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        const expected = JSON.parse(text);
        expect(JSON.stringify(parseJson(text), big)).toBe(JSON.stringify(expected));
        expect(JSON.stringify(plainJson(readJson(text)), big)).toBe(JSON.stringify(expected));
      }),
    );
  });

  test("the slow parser returns the same values as JSON.parse", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify({ "a:": 1.5, value }, undefined, " ");
        expect(JSON.stringify(parseJson(text), big)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

/** fast-check generates integers with more than 16 digits. Converts bigints to the nearest number. */
const big = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value);

const numbers = (value: unknown): unknown => JSON.parse(JSON.stringify(value, big));

describe("invalid JSON fails with Go's errors", () => {
  test.each([
    ["", "unexpected end of JSON input"],
    ["  ", "unexpected end of JSON input"],
    ["garbage", "invalid character 'g' looking for beginning of value"],
    ['{"kind":"ConfigMap"', "unexpected end of JSON input"],
    ["{", "unexpected end of JSON input"],
    ["{1", "invalid character '1' looking for beginning of object key string"],
    ['{"a"', "unexpected end of JSON input"],
    ['{"a" 1', "invalid character '1' after object key"],
    ['{"a":1 "b"', "invalid character '\"' after object key:value pair"],
    ['{"a":1]', "invalid character ']' after object key:value pair"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["[1 2]", "invalid character '2' after array element"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ["[}", "invalid character '}' looking for beginning of value"],
    ["{} x", "invalid character 'x' after top-level value"],
    ["01", "invalid character '1' after top-level value"],
    ["-", "invalid character ' ' in numeric literal"],
    ["-a", "invalid character 'a' in numeric literal"],
    ["1.", "invalid character ' ' after decimal point in numeric literal"],
    ["1.x", "invalid character 'x' after decimal point in numeric literal"],
    ["1e", "invalid character ' ' in exponent of numeric literal"],
    ["1e+z", "invalid character 'z' in exponent of numeric literal"],
    ["tru", "invalid character ' ' in literal true (expecting 'e')"],
    ["fxlse", "invalid character 'x' in literal false (expecting 'a')"],
    ["nil", "invalid character 'i' in literal null (expecting 'u')"],
    ['"abc', "unexpected end of JSON input"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"a\\', "invalid character ' ' in string escape code"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ["\ufeff{}", "invalid character 'ï' looking for beginning of value"],
    ["\u0085", "invalid character 'Â' looking for beginning of value"],
    ["\u0001", "invalid character '\\x01' looking for beginning of value"],
  ])("%j", (text, message) => {
    expect(() => parseJson(text)).toThrow(new DecodeError(message));
    expect(() => readJson(new TextEncoder().encode(text))).toThrow(new DecodeError(message));
  });

  test("every text that JSON.parse refuses has an error of Go", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\ue+-.01tfn \n') }), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (isJson) expect(() => parseJson(text)).not.toThrow();
        else expect(() => parseJson(text)).toThrow(/^invalid character|^unexpected end/);
      }),
      { numRuns: 2000 },
    );
  });

  test("a number beyond float64", () => {
    const message = "json: cannot unmarshal number 1e400 into Go value of type float64";
    expect(() => parseJson('{"a":1e400}')).toThrow(new DecodeError(message));
  });
});

describe("a hostile body", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  test("may nest up to the maximum depth", () => {
    expect(parseJson(nested(MAX_DEPTH))).toBeInstanceOf(Array);
    const message = "invalid character '[' exceeded max depth";
    expect(() => parseJson(nested(MAX_DEPTH + 1))).toThrow(new DecodeError(message));
    expect(() => parseJson(nested(1_000_000))).toThrow(new DecodeError(message));
    expect(() => readJson(`${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`)).toThrow(/exceeded max depth/);
    expect(() => parseJson("[".repeat(1_000_000))).toThrow(new DecodeError(message));
  });

  test.each<[title: string, text: (size: number) => string]>([
    ["a long integer", (size) => `{"a":${"9".repeat(size)}}`],
    ["a long string of escapes", (size) => `{"a":1.5,"b":"${"\\\\".repeat(size)}"}`],
    ["many duplicates", (size) => `{${'"a":1.0,'.repeat(size)}"a":1}`],
    ["many colons", (size) => `["${'\\":'.repeat(size)}"]`],
  ])("with %s is parsed in linear time", (_title, text) => {
    using counter = new StepCounter();
    const growth = counter.growthOf((size) => {
      // It may be refused.
      try {
        plainJson(readJson(text(size)));
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
      }
    }, 2_000);
    expect(growth).toBeLessThan(2.5);
  });
});

describe("duplicate keys", () => {
  test.each([
    ['{"a":1,"a":2}', ["a"]],
    ['{"metadata":{"name":"x","name":"y"},"data":{"a":"1","a":"2"}}', ["metadata.name", "data.a"]],
    ['{"spec":{"containers":[{"name":"a"},{"name":"b","name":"c"}]}}', ["spec.containers[1].name"]],
    ['{"a" :1,"a"\n:2}', ["a"]],
    ['{"a\\\\":1,"a\\\\":2}', ["a\\"]],
    ['{"a:":":x","a:":1}', ["a:"]],
    ['{"a":1,"a":2,"a":3}', ["a"]],
    ['{"a":1,"\\u0061":3}', ["a"]],
    ['{"a":":8080","b":["x:",":y"]}', []],
    ['{"a":"\\":","b":1}', []],
    ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
  ])("%s", (text, paths) => {
    const errors = new StrictErrors();
    plainJson(readJson(text), errors);
    expect(errors.list()).toEqual(paths.map((path) => `duplicate field ${JSON.stringify(path)}`));
  });

  test("are found at any position", () => {
    const key = fc.string({ unit: fc.constantFrom("a", ":", "\\", '"', ",", "[", " ", "{") });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.oneof(key, fc.constant(1)))),
        fc.constantFrom("", " "),
        (members, space) => {
          const text = `{${members.map(([k, v]) => `${JSON.stringify(k)}${space}:${JSON.stringify(v)}`).join(",")}}`;
          const errors = new StrictErrors();
          plainJson(readJson(text), errors);
          const keys = members.map(([k]) => k);
          const repeated = keys.filter((k, i) => keys.indexOf(k) < i);
          expect(errors.list()).toHaveLength(new Set(repeated).size);
        },
      ),
    );
  });

  test("are reported up to 100 times", () => {
    const members = Array.from({ length: 150 }, (_, i) => `"k${i}":1,"k${i}":2`);
    const errors = new StrictErrors();
    plainJson(readJson(`{${members.join(",")}}`), errors);
    expect(errors.list()).toHaveLength(100);
  });
});

describe("JSON output matches Go's", () => {
  test.each([
    [{ a: "<b> & c\u2028\u2029" }, '{"a":"\\u003cb\\u003e \\u0026 c\\u2028\\u2029"}'],
    [{ a: '\u007f\u0001\b\f\n\r\té"\\/' }, '{"a":"\u007f\\u0001\\b\\f\\n\\r\\té\\"\\\\/"}'],
    [{ a: 9007199254740993n }, '{"a":9007199254740993}'],
    [{ b: { "2": "x", "10": "y", "-": "z" }, a: [] }, '{"b":{"-":"z","10":"y","2":"x"},"a":[]}'],
    [{ a: 1e21, b: 1e-7, c: 0.1, d: 100 }, '{"a":1e+21,"b":1e-7,"c":0.1,"d":100}'],
    [[], "[]"],
    [null, "null"],
  ])("%#", (value, text) => {
    expect(encodeJson(value)).toBe(text);
  });

  test("with indentation", () => {
    const value = { kind: "Status", metadata: {}, list: [1, { a: "<" }], none: [] };
    const pretty =
      '{\n  "kind": "Status",\n  "metadata": {},\n  "list": [\n    1,\n    {\n      "a": "\\u003c"\n    }\n  ],\n  "none": []\n}';
    expect(encodePrettyJson(value)).toBe(pretty);
    expect(encodePrettyJson({ ...value, big: 2n ** 60n })).toBe(
      pretty.replace('"none": []', `"none": [],\n  "big": ${2n ** 60n}`),
    );
  });

  test("is parsed to the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(numbers(parseJson(encodeJson(value as JsonValue)))).toEqual(numbers(value));
      }),
    );
  });
});

test.each([
  ["a bigint", { count: 2n ** 60n }, '"count":1152921504606846976'],
  ["an index key", { b: 1, 1: 2 }, '"1":2,"b":1'],
])("dates and functions beside %s are written as JSON.stringify writes them", (_title, members, text) => {
  const time = { at: new Date(0), list: [() => 1], left: () => 1, none: undefined };
  // As in an object of a test, whose type need not be JSON.
  const value = { ...members, time } as unknown as JsonValue;
  const dates = '"time":{"at":"1970-01-01T00:00:00.000Z","list":[null]}';
  expect(encodeJson(value)).toBe(`{${text},${dates}}`);
});
