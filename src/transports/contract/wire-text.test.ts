import { expect, test } from "vitest";
import { statusText } from "./status-text.ts";
import { textFromWire, wireFromText } from "./wire-text.ts";

test.each([
  ["application/json", "application/json"],
  ["tab\tand space", "tab\tand space"],
  ["dréi", "dr\u00c3\u00a9i"],
  ["✓", "\u00e2\u009c\u0093"],
  ["🙂", "\u00f0\u009f\u0099\u0082"],
  ["line\r\nbreak\0", "line  break "],
])("the header %j is sent as the bytes %j", (text, wire) => {
  expect(wireFromText(text)).toBe(wire);
});

test.each(["plain", "dréi", "✓ 🙂", "\u007f"])("the bytes of %j are read as that text", (text) => {
  expect(textFromWire(Buffer.from(text).toString("latin1"))).toBe(text);
});

test("bytes that are not UTF-8 are read as replacement characters", () => {
  expect(textFromWire("\u00ff")).toBe("\ufffd");
});

test.each([
  [200, "OK"],
  [413, "Request Entity Too Large"],
  [422, "Unprocessable Entity"],
  [429, "Too Many Requests"],
  [509, "status code 509"],
])("the phrase of %i is %s", (status, phrase) => {
  expect(statusText(status)).toBe(phrase);
});
