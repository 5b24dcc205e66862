import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StepCounter } from "../../../test/steps.ts";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import { NumberLiteral } from "../../apimachinery/go/parsed-json.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { MAX_DEPTH } from "../json/go-json-error.ts";
import { encodeJson } from "../json/json.ts";
import { encodeYaml, parseYaml, readYaml } from "./yaml.ts";

describe("a plain scalar is parsed as", () => {
  test.each<[string, unknown]>([
    ["y", true],
    ["Yes", true],
    ["on", true],
    ["TRUE", true],
    ["tRue", "tRue"],
    ["n", false],
    ["off", false],
    ["~", null],
    ["null", null],
    ["", null],
    ["nULL", "nULL"],
    ["1", 1],
    ["+1", 1],
    ["-0", 0],
    ["1_000", 1000],
    ["0777", 511],
    ["0o17", 15],
    ["0x1F", 31],
    ["-0b11", -3],
    ["08", 8],
    ["9223372036854775807", 9223372036854775807n],
    ["9223372036854775808", 2 ** 63],
    ["99999999999999999999", 1e20],
    ["1.5", 1.5],
    ["1.", 1],
    [".5", 0.5],
    ["1e3", 1000],
    ["1e400", "1e400"],
    ["1.2.3", "1.2.3"],
    ["2020-01-01", "2020-01-01"],
    ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"],
    ["12:30:45", "12:30:45"],
    ["'1'", "1"],
    ['"y"', "y"],
    ["!!str 1", "1"],
    ["!!float 1", 1],
    ["!!int 1", 1],
    ["!!binary aGk=", "hi"],
    ["! 1", "1"],
    ["!foo 1", "1"],
  ])("%j", (text, value) => {
    expect(parseYaml(`a: ${text}\n`)).toEqual({ a: value });
  });

  test("an integer between int64 and uint64 is kept exactly", () => {
    expect(readYaml("18446744073709551615").value).toEqual(new NumberLiteral("18446744073709551615"));
  });
});

describe("the structures of YAML", () => {
  test.each<[string, JsonValue]>([
    ["", null],
    ["# only a comment\n", null],
    ["---\n", null],
    ["a: 1\n---\nb: 2\n", { a: 1 }],
    ["a: 1\n...\n]", { a: 1 }],
    ["\ufeffa: 1", { a: 1 }],
    ["%YAML 1.1\n---\na: 1", { a: 1 }],
    ["b: 1\na: 2\n", { a: 2, b: 1 }],
    ["a:\n- 1\n-\n- - 2\n  - 3\n- k: v\n  l: w\n", { a: [1, null, [2, 3], { k: "v", l: "w" }] }],
    ["a:\n  - 1\nb:", { a: [1], b: null }],
    ['{"a": [1, {"b": null}], c: {d, e: f}}', { a: [1, { b: null }], c: { d: null, e: "f" } }],
    ["[a, b: c, ]", ["a", { b: "c" }]],
    ["? a\n: b\n? c\n", { a: "b", c: null }],
    ["a: >\n  x\n  y\n\n  z\n   w\n\n\nb: |-\n  1\n  2\n", { a: "x y\nz\n w\n", b: "1\n2" }],
    ["a: |+\n  x\n\nb: |2\n   y\n", { a: "x\n\n", b: " y\n" }],
    ["a: one\n  two\n\n  three # c\n", { a: "one two\nthree" }],
    ["a: 'it''s\n  ok'\nb: \"x\\\n   y\\tz\\u00e9\\x41\"\n", { a: "it's ok", b: "xy\tzéA" }],
    ["a: http://x:80/#y\n", { a: "http://x:80/#y" }],
    ["1: a\n1.5: b\ntrue: c\n-0.5: d", { "1": "a", "1.5": "b", true: "c", "-0.5": "d" }],
    ["a: &x {k: 1}\nb: *x\nc: [*x, *x]\n", { a: { k: 1 }, b: { k: 1 }, c: [{ k: 1 }, { k: 1 }] }],
    ["a: &x {k: 1, l: 2}\nb:\n  l: 3\n  <<: *x\n", { a: { k: 1, l: 2 }, b: { k: 1, l: 2 } }],
    [
      "a: &x {k: 1}\nb: &y {k: 2, m: 3}\nc: {<<: [*x, *y], o: 4}",
      {
        a: { k: 1 },
        b: { k: 2, m: 3 },
        c: { k: 1, m: 3, o: 4 },
      },
    ],
    ["__proto__: 1\n", JSON.parse('{"__proto__":1}')],
    ["a: 1\r\nb: 2\r\n", { a: 1, b: 2 }],
  ])("%j", (text, value) => {
    expect(parseYaml(text)).toEqual(value);
    expect(parseYaml(new TextEncoder().encode(text))).toEqual(value);
  });
});

describe("invalid YAML fails with Go's errors", () => {
  test.each([
    ["a: b: c\n", "yaml: mapping values are not allowed in this context"],
    ["x: 1\na: b: c\n", "yaml: line 2: mapping values are not allowed in this context"],
    ["{{{", "yaml: line 1: did not find expected node content"],
    ["metadata:\n  name: x\n labels: y\n", "yaml: line 2: did not find expected key"],
    ["- a\n- b\nc: d\n", "yaml: line 2: did not find expected '-' indicator"],
    ["a: [1, 2\nb: 3\n", "yaml: line 1: did not find expected ',' or ']'"],
    ["a: {b: 1\nc: 3\n", "yaml: line 1: did not find expected ',' or '}'"],
    ["a:\n\tb: 1\n", "yaml: line 2: found character that cannot start any token"],
    ["a: @b\n", "yaml: found character that cannot start any token"],
    ["a: 1\nb: `c`\n", "yaml: line 2: found character that cannot start any token"],
    ["a: 1\nfoo\nb: 2\n", "yaml: line 3: could not find expected ':'"],
    ["a: 'x\nb: 1\n", "yaml: line 3: found unexpected end of stream"],
    ['a: "\\q"\n', "yaml: found unknown escape character"],
    ['a: "\\ud800"\n', "yaml: found invalid Unicode character escape code"],
    ["a: *b\n", "yaml: unknown anchor 'b' referenced"],
    ["a: &b\n  c: *b\n", "yaml: anchor 'b' value contains itself"],
    ["a: !!int x\n", "yaml: cannot decode !!str `x` as a !!int"],
    ["a: !x!y z\n", "yaml: found undefined tag handle"],
    ["{a: b}: c\n", 'yaml: invalid map key: map[interface {}]interface {}{"a":"b"}'],
    ["a: {{ x }}\n", 'yaml: invalid map key: map[interface {}]interface {}{"x":interface {}(nil)}'],
    ["? [1, y, 1.5]\n: c\n", "yaml: invalid map key: []interface {}{1, true, 1.5}"],
    ["~: 1\n", "unsupported map key of type: %!s(<nil>), key: <nil>, value: 1"],
    ["a: .inf\n", "json: unsupported value: +Inf"],
    ["<<: 1\n", "yaml: map merge requires map or sequence of maps as the value"],
    ["a: |\n\tx\n", "yaml: line 2: found a tab character where an indentation space is expected"],
    ["a: |0\n", "yaml: found an indentation indicator equal to 0"],
    ["%FOO\n---\n", "yaml: found unknown directive name"],
    ["%YAML 1.2\n---\n", "yaml: found incompatible YAML document"],
    ["a: \u0007\n", "yaml: control characters are not allowed"],
    ["a: \0\n", "yaml: control characters are not allowed"],
  ])("%j: %s", (text, message) => {
    expect(() => parseYaml(text)).toThrow(new DecodeError(message));
  });

  test("bytes that are not UTF-8", () => {
    const message = "yaml: invalid leading UTF-8 octet";
    expect(() => readYaml(new Uint8Array([0x61, 0x3a, 0xff]))).toThrow(new DecodeError(message));
  });
});

describe("a duplicate key", () => {
  test.each([
    ['data:\n  a: "1"\n  a: "2"\n', ['line 3: key "a" already set in map']],
    [
      "a: 1\na: 2\nb: 1\nb:\n  c: 1\n",
      ['line 2: key "a" already set in map', 'line 5: key "b" already set in map'],
    ],
    ["1: a\n1: b\n'1': c", ["line 2: key 1 already set in map"]],
    ["x: &x {a: 1}\ny: {a: 2, <<: *x}", ['line 1: key "a" already set in map']],
  ])("%j", (text, lines) => {
    expect(readYaml(text).strictErrors).toEqual([`yaml: unmarshal errors:\n  ${lines.join("\n  ")}`]);
  });

  test("has its last value", () => {
    expect(parseYaml("a: 1\na: 2\n")).toEqual({ a: 2 });
    expect(readYaml("a: 1\nb: 2\n").strictErrors).toEqual([]);
  });
});

describe("a body that is JSON", () => {
  /** With a leading comment, the same text goes through the YAML parser. */
  const asYaml = (text: string) => outcome(`#\n${text}`);
  const outcome = (text: string) => {
    try {
      const { value, strictErrors } = readYaml(text);
      return { keys: keysOf(value), value, isStrict: strictErrors.length === 0 };
    } catch (error) {
      if (error instanceof DecodeError) return "refused";
      throw error;
    }
  };

  test("has the same value as in YAML", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom("a", "-0", "<<", "1"));
    const json = fc.dictionary(text, fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }));
    const space = fc.constantFrom("", "  ", "\t", "\r\n");
    fc.assert(
      fc.property(json, space, (value, indent) => {
        const sent = JSON.stringify(value, undefined, indent);
        expect(outcome(sent)).toEqual(asYaml(sent));
      }),
      { numRuns: 500 },
    );
  });

  const hardToTell = [
    '{"a":"\\/"}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":"\\u003c\\u0000\\b"}',
    '{"a":-0,"b":[-0]}',
    '{"a":1,"a":2}',
    '{"a":{"b":1,"b":2}}',
    '{"a"\n:1}',
    '{"a" :1}',
    '{"a":1.50,"b":1e3,"c":1e400,"d":18446744073709551615,"e":9223372036854775807}',
    '{"a":"\u2028","b":"\x7f"}',
    '{"a":"x\ufeffy"}',
    `{"${"k".repeat(1100)}":1}`,
    `{"${"k".repeat(1000)}":1}`,
    `{"${"\\u00e9".repeat(171)}":1}`,
    '{"b":1,"a":{"d":1,"c":2}}',
    '{"__proto__":{"a":1}}',
    '{"a":1}\n---\n{}',
    '{"a":1} x',
    '{"a":1,}',
    "{a: 1}",
    `${'{"a":'.repeat(MAX_DEPTH + 1)}1${"}".repeat(MAX_DEPTH + 1)}`,
  ];
  test.each(hardToTell.map((text) => [text.slice(0, 30), text] as const))(
    "%s is what it is in YAML",
    (_start, sent) => {
      expect(outcome(sent)).toEqual(asYaml(sent));
    },
  );

  function keysOf(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return undefined;
    return Object.entries(value).map(([key, item]) => [key, keysOf(item)]);
  }
});

describe("a hostile body", () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]", ..."bcdefghij"].map((name, i, all) => {
    const before = i < 2 ? "a" : all[i - 1];
    return i === 0 ? name : `${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`;
  });

  test.each<[string, string, RegExp]>([
    ["aliases of aliases", bomb.join("\n"), /document contains excessive aliasing/],
    [
      "a chain of aliases",
      Array.from({ length: 5000 }, (_, i) => `- &a${i} [${i ? `*a${i - 1}` : ""}]`).join("\n"),
      /exceeded max depth|excessive/,
    ],
    ["open brackets", "[".repeat(1_000_000), /exceeded max depth/],
    ["nested brackets", "[".repeat(100_000) + "]".repeat(100_000), /exceeded max depth/],
    ["nested braces", "{a: ".repeat(100_000), /exceeded max depth/],
    ["dashes", "- ".repeat(100_000), /exceeded max depth/],
    ["question marks", "? ".repeat(100_000), /exceeded max depth/],
    [
      "deep indents",
      Array.from({ length: 2000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
      /exceeded max depth/,
    ],
  ])("of %s is refused", (_title, text, message) => {
    expect(() => parseYaml(text)).toThrow(message);
    expect(() => parseYaml(text)).toThrow(DecodeError);
  });

  test.each<[title: string, text: (size: number) => string]>([
    ["long plain text", (size) => `a: ${"b ".repeat(size)}`],
    ["many lines of plain text", (size) => "a\n".repeat(size)],
    ["many empty lines", (size) => `"${"a\n\n ".repeat(size)}"`],
    ["many keys", (size) => Array.from({ length: size }, (_, i) => `k${i}: v`).join("\n")],
    ["a long list", (size) => `[${"a, ".repeat(size)}]`],
    ["many documents", (size) => "---\n".repeat(size)],
    ["many comments", (size) => "# c\n".repeat(size)],
    ["many escapes", (size) => `"${"\\n".repeat(size)}"`],
    ["a long literal", (size) => `a: |\n${"  b\n".repeat(size)}`],
    ["a long integer", (size) => `a: ${"1".repeat(size)}`],
    ["a long octal", (size) => `a: 0${"7".repeat(size)}`],
    ["many digits and underscores", (size) => `a: ${"1_".repeat(size)}x`],
    ["many merges", (size) => `x: &x {a: 1}\ny:\n${"  <<: *x\n".repeat(Math.ceil(size / 40))}`],
  ])("of %s is parsed in linear time", (_title, text) => {
    using counter = new StepCounter();
    expect(counter.growthOf((size) => parseYaml(text(size)), 2_000)).toBeLessThan(2.5);
  });

  test("may nest up to the maximum depth", () => {
    const value = parseYaml("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH));
    expect(JSON.stringify(value)).toBe("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH));
  });
});

describe("YAML output matches Go's", () => {
  test.each<[JsonValue, string]>([
    [{ b: 1, a: { d: [], c: {} }, e: null }, "a:\n  c: {}\n  d: []\nb: 1\ne: null\n"],
    [{ a: [1, { b: 2, c: [3] }, [4, [5]]] }, "a:\n- 1\n- b: 2\n  c:\n  - 3\n- - 4\n  - - 5\n"],
    [[], "[]\n"],
    ["x", "x\n"],
    [[{ a: {} }], "- a: {}\n"],
    [
      { a: "", b: "y", c: "1", d: "null", e: "2020-01-01", f: "12:30", g: "0x1", h: "1e3", i: "~", j: "=" },
      'a: ""\nb: "y"\nc: "1"\nd: "null"\ne: "2020-01-01"\nf: "12:30"\ng: "0x1"\nh: "1e3"\ni: "~"\nj: =\n',
    ],
    [
      {
        a: "a: b",
        b: "#c",
        c: "d #e",
        d: "'x'",
        e: "-",
        f: "- a",
        g: "-a",
        h: "@x",
        i: "a:",
        j: " a",
        k: "%x",
      },
      "a: 'a: b'\nb: '#c'\nc: 'd #e'\nd: '''x'''\ne: '-'\nf: '- a'\ng: -a\nh: '@x'\ni: 'a:'\nj: ' a'\nk: '%x'\n",
    ],
    [
      { a: "x\ny", b: "x\n", c: "x\n\n", d: " x\n", e: "\n" },
      "a: |-\n  x\n  y\nb: |\n  x\nc: |+\n  x\n\nd: |2\n   x\ne: |2+\n\n",
    ],
    [
      { a: "x \ny", b: "x\ny ", c: "a\tb", d: "\u{1f600}", e: "é\u00a0" },
      'a: "x \\ny"\nb: "x\\ny "\nc: "a\\tb"\nd: "\\U0001F600"\ne: é\u00a0\n',
    ],
    [{ a: [{ b: "x\ny\n" }, "z\nw"] }, "a:\n- b: |\n    x\n    y\n- |-\n  z\n  w\n"],
    [
      { a10: 1, a2: 2, B: 3, "-": 4, "10": 5, "9": 6, a_b: 7, ab: 8 },
      '"-": 4\n"9": 6\n"10": 5\nB: 3\na_b: 7\na2: 2\na10: 1\nab: 8\n'.replace('"-"', "'-'"),
    ],
    [
      { a: 1.5, b: 1e21, c: 1234567.5, d: 2n ** 63n - 1n, e: 1e20, f: -1, g: true },
      "a: 1.5\nb: 1e+21\nc: 1.2345675e+06\nd: 9223372036854775807\ne: 1e+20\nf: -1\ng: true\n",
    ],
    [{ ["k".repeat(129)]: { a: [1], b: "c" } }, `? ${"k".repeat(129)}\n: a:\n  - 1\n  b: c\n`],
    [{ "a\nb": [1] }, "? |-\n  a\n  b\n: - 1\n"],
  ])("%#", (value, text) => {
    expect(encodeYaml(value)).toBe(text);
  });

  test("long lines are folded", () => {
    const words = "word ".repeat(30).trim();
    const folded = encodeYaml({ a: words, b: `${words}: x`, c: `\t${words}` });
    expect(folded.split("\n").map((line) => line.length)).toEqual([82, 71, 83, 75, 85, 72, 0]);
    expect(parseYaml(folded)).toEqual({ a: words, b: `${words}: x`, c: `\t${words}` });
  });

  test("is parsed to the same value", () => {
    const text = fc.string({
      unit: fc.constantFrom(..."ab01 -:#?'\"\\\n\t,[]{}&*!|>%@`yn~.", "é", "\u2028", "\ufeff"),
    });
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.string({ unit: "binary" }).map((s) => s.replace(/[\x7f-\x9f\ufffe\uffff]/g, "")),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(text, tie("value"), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(value, (json) => {
        const written = encodeYaml(json);
        expect(parseYaml(written)).toEqual(json);
        expect(parseYaml(encodeJson(json))).toEqual(json);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("YAML from a real server", () => {
  const folder = "test/conformance/golden";
  const bodies: [string, string][] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    for (const line of readFileSync(`${folder}/${file}`, "utf8").trim().split("\n")) {
      const { n, res } = JSON.parse(line);
      if (res.headers["Content-Type"] === "application/yaml") bodies.push([`${file} ${n}`, res.body]);
    }
  }

  test.each(bodies)("%s", (_name, body) => {
    expect(encodeYaml(parseYaml(body))).toBe(body);
  });
});
