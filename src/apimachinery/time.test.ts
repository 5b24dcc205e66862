import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalMicroTime,
  canonicalTime,
  formatGoTime,
  formatMicroTime,
  formatTime,
  parseMicroTime,
  parseTime,
  timeMilliseconds,
} from "./time.ts";

describe("a time is formatted again", () => {
  test.each([
    ["2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"],
    ["2024-05-01T10:00:00.999Z", "2024-05-01T10:00:00Z"],
    ["2024-05-01T10:00:00,5Z", "2024-05-01T10:00:00Z"],
    ["2024-05-01T12:00:00+02:00", "2024-05-01T10:00:00Z"],
    ["2024-05-01T08:30:00-01:30", "2024-05-01T10:00:00Z"],
    ["2024-05-01T9:00:00Z", "2024-05-01T09:00:00Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["2024-05-02T00:00:00+24:00", "2024-05-01T00:00:00Z"],
    ["0099-01-01T00:00:00Z", "0099-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59-01:00", "10000-01-01T00:59:59Z"],
    ["0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"],
    ["0001-01-01T00:00:00Z", null],
    ["0001-01-01T01:00:00+01:00", null],
    ["0001-01-01T00:00:00.1Z", "0001-01-01T00:00:00Z"],
  ])("%s is %s", (text, expected) => {
    expect(canonicalTime(text)).toBe(expected);
  });

  test.each([
    ["2024-05-01T10:00:00.123456Z", "2024-05-01T10:00:00.123456Z"],
    ["2024-05-01T12:00:00.000001+02:00", "2024-05-01T10:00:00.000001Z"],
    ["0001-01-01T00:00:00.000000Z", null],
  ])("with microseconds: %s is %s", (text, expected) => {
    expect(canonicalMicroTime(text)).toBe(expected);
  });
});

describe("a text that is not a time is rejected with Go's message", () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  test.each([
    ["", `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    ["tomorrow", `parsing time "tomorrow" as ${layout}: cannot parse "tomorrow" as "2006"`],
    ["2024", `parsing time "2024" as ${layout}: cannot parse "" as "-"`],
    ["2024/05/01", `parsing time "2024/05/01" as ${layout}: cannot parse "/05/01" as "-"`],
    ["2024-5-01", `parsing time "2024-5-01" as ${layout}: cannot parse "5-01" as "01"`],
    ["2024-05-01", `parsing time "2024-05-01" as ${layout}: cannot parse "" as "T"`],
    [
      "2024-05-01 10:00:00Z",
      `parsing time "2024-05-01 10:00:00Z" as ${layout}: cannot parse " 10:00:00Z" as "T"`,
    ],
    ["2024-05-01T10:00:00", `parsing time "2024-05-01T10:00:00" as ${layout}: cannot parse "" as "Z07:00"`],
    [
      "2024-05-01T10:00:00+0200",
      `parsing time "2024-05-01T10:00:00+0200" as ${layout}: cannot parse "+0200" as "Z07:00"`,
    ],
    ["2024-13-01T10:00:00Z", 'parsing time "2024-13-01T10:00:00Z": month out of range'],
    ["2023-02-29T10:00:00Z", 'parsing time "2023-02-29T10:00:00Z": day out of range'],
    ["2024-05-00T10:00:00Z", 'parsing time "2024-05-00T10:00:00Z": day out of range'],
    ["2024-05-01T24:00:00Z", 'parsing time "2024-05-01T24:00:00Z": hour out of range'],
    ["2024-05-01T10:60:00Z", 'parsing time "2024-05-01T10:60:00Z": minute out of range'],
    ["2024-05-01T10:00:60Z", 'parsing time "2024-05-01T10:00:60Z": second out of range'],
    [
      "2024-05-01T10:00:00+25:00",
      'parsing time "2024-05-01T10:00:00+25:00": time zone offset hour out of range',
    ],
    ["2024-05-01T10:00:00Zx", 'parsing time "2024-05-01T10:00:00Zx": extra text: "x"'],
    ['é"\\', `parsing time "\\xc3\\xa9\\"\\\\" as ${layout}: cannot parse "\\xc3\\xa9\\"\\\\" as "2006"`],
  ])("%j: %s", (text, message) => {
    expect(() => parseTime(text)).toThrow(message);
    expect(() => parseTime(text)).toThrow(expect.objectContaining({ name: "DecodeError" }));
  });

  test("microseconds are required", () => {
    const text = "2024-05-01T10:00:00Z";
    const message = `parsing time "${text}" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"`;
    expect(() => parseMicroTime(text)).toThrow(message);
    expect(() => parseMicroTime("2024-05-01T10:00:00.1234567Z")).toThrow('cannot parse "7Z" as "Z07:00"');
  });
});

test("a time of the clock is formatted to the second, or with microseconds", () => {
  const milliseconds = Date.UTC(2024, 4, 1, 10, 0, 0, 123);
  expect(formatTime(milliseconds)).toBe("2024-05-01T10:00:00Z");
  expect(formatMicroTime(milliseconds)).toBe("2024-05-01T10:00:00.123000Z");
  expect(timeMilliseconds(formatMicroTime(milliseconds))).toBe(milliseconds);
});

test("any time survives formatting and parsing", () => {
  const year1 = -62_135_596_799;
  fc.assert(
    fc.property(fc.integer({ min: year1, max: 253_402_300_799 }), (seconds) => {
      const text = formatTime(seconds * 1000);
      expect(parseTime(text)).toEqual({ seconds, nanoseconds: 0 });
      expect(canonicalTime(text)).toBe(text);
      const micro = text.replace("Z", ".000042Z");
      expect(canonicalMicroTime(micro)).toBe(micro);
    }),
  );
});

test("only days of the calendar are times", () => {
  const days = [2023, 2024].flatMap((year) =>
    Array.from({ length: 12 * 31 }, (_, at) => {
      const [month, day] = [Math.floor(at / 31) + 1, (at % 31) + 1].map((part) =>
        String(part).padStart(2, "0"),
      );
      return `${year}-${month}-${day}T23:59:59Z`;
    }),
  );
  const [exist, others] = [true, false].map((wanted) =>
    days.filter((text) => (formatTime(Date.parse(text)) === text) === wanted),
  );
  expect(exist).toHaveLength(365 + 366);
  expect(exist?.map(canonicalTime)).toEqual(exist);
  for (const text of others ?? []) expect(() => canonicalTime(text)).toThrow("day out of range");
});

test.each([
  ["2001-01-01T00:00:00Z", "2001-01-01 00:00:00 +0000 UTC"],
  ["2001-01-01T00:00:00.120000Z", "2001-01-01 00:00:00.12 +0000 UTC"],
  [null, "0001-01-01 00:00:00 +0000 UTC"],
])("Go prints %s as %s", (text, expected) => {
  expect(formatGoTime(text)).toBe(expected);
});

test("years of four digits are written as ISO 8601 writes them", () => {
  const [min, max] = [new Date("0000-01-01T00:00:00Z"), new Date("9999-12-31T23:59:59Z")];
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      expect(formatTime(date.getTime())).toBe(`${date.toISOString().slice(0, 19)}Z`);
    }),
  );
});
