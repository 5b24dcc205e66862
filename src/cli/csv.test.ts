import { expect, test } from "vitest";
import { CsvError, parseCsv } from "./csv.ts";

test.each([
  ["fields", "a,b,,c\n", [["a", "b", "", "c"]]],
  ["no line break at the end", "a\nb", [["a"], ["b"]]],
  ["line breaks of Windows, and empty lines", "a\r\n\r\nb\r\n", [["a"], ["b"]]],
  ["nothing", "", []],
  ["quotes", '"a,b",c\n"d ""e"""\n""', [["a,b", "c"], ['d "e"'], [""]]],
  ["a quoted field over lines", '"a\n\nb",c\nd', [["a\n\nb", "c"], ["d"]]],
  ["white space is kept", " a , b ", [[" a ", " b "]]],
])("%s", (_title, text, records) => {
  expect(parseCsv(text).map(({ fields }) => fields)).toEqual(records);
});

test.each([
  ['a"b', 'parse error on line 1, column 2: bare " in non-quoted field'],
  ['x\na,b"', 'parse error on line 2, column 4: bare " in non-quoted field'],
  ['"a"b', 'parse error on line 1, column 3: extraneous or missing " in quoted-field'],
  ['"a', 'parse error on line 1, column 3: extraneous or missing " in quoted-field'],
  ['"a\nb', 'record on line 1; parse error on line 2, column 2: extraneous or missing " in quoted-field'],
])("%j is refused", (text, message) => {
  expect(() => parseCsv(text)).toThrow(new CsvError(message));
});
