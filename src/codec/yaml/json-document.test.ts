import { describe, expect, test } from "vitest";
import { jsonDocument, jsonDocumentOfBytes } from "./json-document.ts";

/** The value with the order of its keys. */
const shown = (text: string) => JSON.stringify(jsonDocument(text));

describe("JSON that YAML reads in the same way", () => {
  test.each([
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    ['{"a":2,"b":1}', '{"a":2,"b":1}'],
    ['{"a":1,"a1":2,"B":3,"":0}', '{"":0,"B":3,"a":1,"a1":2}'],
    ['{"b":{"d":1,"c":[{"f":1,"e":2},null,"x",[{"h":1,"g":true}]]},"a":null}', undefined],
    ['{"a":{"c":1,"b":2},"d":1}', '{"a":{"b":2,"c":1},"d":1}'],
    ['{"c":{"d":1},"a":[],"b":{}}', '{"a":[],"b":{},"c":{"d":1}}'],
    ["{}", "{}"],
  ])("has sorted keys everywhere: %s", (text, expected) => {
    const nested = '{"a":null,"b":{"c":[{"e":2,"f":1},null,"x",[{"g":true,"h":1}]],"d":1}}';
    expect(shown(text)).toBe(expected ?? nested);
  });

  test("has keys that are data", () => {
    const value = jsonDocument('{"b":1,"__proto__":{"d":1,"c":2}}');
    expect(Object.keys(value ?? {})).toEqual(["__proto__", "b"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"c":2,"d":1},"b":1}');
    expect(shown('{"__proto__":{"d":1,"c":2},"b":1}')).toBe('{"__proto__":{"c":2,"d":1},"b":1}');
  });

  test("has keys of at most 170 characters at every depth", () => {
    const [longest, tooLong] = ["k".repeat(170), "k".repeat(171)];
    expect(jsonDocument(`{"${longest}":1}`)).toEqual({ [longest]: 1 });
    expect(jsonDocument(`{"${tooLong}":1}`)).toBeUndefined();
    expect(jsonDocument(`{"a":{"${tooLong}":1}}`)).toBeUndefined();
    expect(jsonDocument(`{"a":[{"${tooLong}":1}]}`)).toBeUndefined();
  });

  test("can have spaces, breaks and characters of other scripts", () => {
    expect(shown('{ "b": "é\\n",\r\n  "a": "你😀" }\n')).toBe('{"a":"你😀","b":"é\\n"}');
    expect(shown('{"a":"\u00a0\u2027\u202a\ud7ff\ue000\ufefe\uff00\ufffd"}')).toBeDefined();
  });
});

test.each([
  ["no object", '["a"]'],
  ["a space before the object", ' {"a":1}'],
  ["a tab", '{\t"a":1}'],
  ["a next line, which breaks lines in YAML", '{"a":"\u0085"}'],
  ["a line separator", '{"a":"\u2028"}'],
  ["a byte order mark", '{"a":"\ufeff"}'],
  ["a delete character", '{"a":"\x7f"}'],
  ["an escaped slash", '{"a":"\\/"}'],
  ["an escaped surrogate", '{"a":"\\ud83d\\ude00"}'],
  ["an escaped surrogate in capitals", '{"a":"\\uD83D\\uDE00"}'],
  ["a space before a colon", '{"a" :1}'],
  ["a negative zero", '{"a":-0}'],
  ["a negative zero in a list", '{"a":[1, -0]}'],
  ["a negative zero first in a list", '{"a":[ -0]}'],
  ["a number with a fraction", '{"a":1.0}'],
  ["such a number in a list", '{"a":[[1.5]]}'],
  ["such a number below", '{"a":{"b":1e3}}'],
  ["a repeated key", '{"a":1,"a":2}'],
  ["a repeated key below", '{"a":[{"b":1,"b":2}]}'],
  ["a syntax error", '{"a":}'],
])("%s is left to the parser of YAML", (_title, text) => {
  expect(jsonDocument(text)).toBeUndefined();
});

test("other negative numbers are the same in both", () => {
  expect(jsonDocument('{"a":-1,"b":[-2]}')).toEqual({ a: -1, b: [-2] });
});

test("bytes are read if they are UTF-8", () => {
  expect(jsonDocumentOfBytes(new TextEncoder().encode('{"a":"é"}'))).toEqual({ a: "é" });
  expect(jsonDocumentOfBytes(Uint8Array.from(Buffer.from('{"a":"\xff"}', "latin1")))).toBeUndefined();
});
