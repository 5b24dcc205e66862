import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly, unlessRefused } from "../../test/arbitraries/nearly.ts";
import { CsvError, parseCsv } from "./csv.ts";

const field = fc.string({ unit: fc.constantFrom(..."ab\", \n'é") });
const records = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 4 });

function textOf(rows: readonly (readonly string[])[], end: string): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(quoted).join() + end).join("");
}

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

test("records are read as they are written", () => {
  fc.assert(
    fc.property(records, fc.constantFrom("\n", "\r\n", "\n\n"), (rows, end) => {
      expect(fieldsOf(textOf(rows, end))).toEqual(rows);
    }),
  );
});

test("any other text is refused with a CsvError, or has no more text than it had", () => {
  const text = nearly(
    records.map((rows) => textOf(rows, "\n")),
    '",\n\ra',
  );
  fc.assert(
    fc.property(text, (given) => {
      const rows = unlessRefused(() => fieldsOf(given), CsvError);
      if (rows === undefined) return;
      expect(rows.flat().join("").length).toBeLessThanOrEqual(given.length);
      expect(fieldsOf(textOf(rows, "\n"))).toEqual(rows);
    }),
    { numRuns: 1000 },
  );
});
