import { describe, expect, test } from "vitest";
import { formatWarning, WarningRecorder } from "./warnings.ts";

function recorded(...texts: readonly string[]): readonly string[] {
  const recorder = new WarningRecorder();
  for (const text of texts) recorder.add(text);
  return recorder.values;
}

describe("a warning", () => {
  test("is a header value", () => {
    expect(formatWarning('unknown field "spec.foo"')).toBe('299 - "unknown field \\"spec.foo\\""');
    expect(formatWarning("a\\b é")).toBe('299 - "a\\\\b é"');
  });

  test("is sent once, in the order of addition", () => {
    expect(recorded("b", "a", "b", "")).toEqual(['299 - "b"', '299 - "a"']);
  });

  test("that is invalid in a header is omitted", () => {
    expect(recorded("a\nb", "c\u0085d", "e\ud800", "f")).toEqual(['299 - "f"']);
  });
});

describe("all warnings of a response", () => {
  const long = (character: string, length: number): string => character.repeat(length);
  const lengths = (values: readonly string[]): number[] =>
    values.map((value) => [...value].length - '299 - ""'.length);

  test("may have 4096 characters", () => {
    expect(lengths(recorded(long("a", 2048), long("b", 2048)))).toEqual([2048, 2048]);
    expect(lengths(recorded(long("😀", 4096)))).toEqual([4096]);
  });

  test("are all cut to 256 characters if they are longer", () => {
    expect(lengths(recorded(long("a", 2048), "b", long("c", 2048), long("d", 300)))).toEqual([
      256, 1, 256, 256,
    ]);
    expect(lengths(recorded(long("a", 5000)))).toEqual([256]);
    expect(recorded(long("😀", 4097))).toEqual([`299 - "${long("😀", 256)}"`]);
  });

  test("end exactly there", () => {
    const sixteen = Array.from({ length: 16 }, (_, i) => long(String.fromCharCode(0x61 + i), 256));
    expect(lengths(recorded(...sixteen.slice(1), long("a", 5000)))).toEqual(Array(16).fill(256));
    expect(lengths(recorded(long("z", 5000), ...sixteen.slice(1), "y"))).toEqual(Array(16).fill(256));
    expect(lengths(recorded(long("z", 5000), ...sixteen.slice(2), "y", long("x", 255)))).toEqual([
      ...Array(15).fill(256),
      1,
      255,
    ]);
  });

  test("end when even the cut warnings have 4096 characters", () => {
    const many = Array.from({ length: 40 }, (_, i) => long(String.fromCharCode(0x61 + i), 300));
    expect(lengths(recorded(...many))).toEqual(Array(16).fill(256));
  });

  test("that were added before the cut all stay", () => {
    const many = Array.from({ length: 4096 }, (_, i) => String.fromCharCode(0x4e00 + i));
    expect(recorded(...many, "x")).toHaveLength(4097);
    expect(recorded(...many, "x", "y")).toHaveLength(4097);
  });
});
