/** The text is not CSV. */
export class CsvError extends Error {
  override readonly name = "CsvError";
}

/** A record, and the number of its first line, from one. */
export interface CsvRecord {
  readonly fields: readonly string[];
  readonly line: number;
}

/**
 * Records as Go's `encoding/csv` reads them: quotes may span lines, empty lines are ignored, and a quote inside
 * a field without quotes is an error. @throws {CsvError}
 */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  // Like Go, it also drops a carriage return at the end of the text.
  const lines = text.replace(/\r$/, "").replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (let line = 0; line < lines.length; line++) {
    if (lines[line] === "") continue;
    const { record, next } = parseRecord(lines, line);
    records.push({ fields: record, line: line + 1 });
    line = next;
  }
  return records;
}

/** Reads one record that starts at `first`; `next` is the last line of the record. */
function parseRecord(lines: readonly string[], first: number): { record: string[]; next: number } {
  const record: string[] = [];
  let line = first;
  let rest = lines[line] ?? "";
  let column = 0;
  for (;;) {
    if (!rest.startsWith('"')) {
      const comma = rest.indexOf(",");
      const field = comma < 0 ? rest : rest.slice(0, comma);
      const quote = field.indexOf('"');
      if (quote >= 0) throw parseError(first, line, column + quote, 'bare " in non-quoted field');
      record.push(field);
      if (comma < 0) return { record, next: line };
      rest = rest.slice(comma + 1);
      column += comma + 1;
      continue;
    }
    let field = "";
    for (let from = 1; ; ) {
      const quote = rest.indexOf('"', from);
      if (quote < 0) {
        if (line + 1 >= lines.length) {
          throw parseError(first, line, column + rest.length, 'extraneous or missing " in quoted-field');
        }
        field += `${rest.slice(from)}\n`;
        rest = lines[++line] ?? "";
        column = 0;
        from = 0;
        continue;
      }
      field += rest.slice(from, quote);
      const after = rest[quote + 1];
      if (after === '"') {
        field += '"';
        from = quote + 2;
        continue;
      }
      record.push(field);
      if (after === undefined) return { record, next: line };
      if (after !== ",") {
        throw parseError(first, line, column + quote, 'extraneous or missing " in quoted-field');
      }
      rest = rest.slice(quote + 2);
      column += quote + 2;
      break;
    }
  }
}

/** Lines and columns count from one, as upstream prints them. */
function parseError(first: number, line: number, column: number, problem: string): CsvError {
  const at = `parse error on line ${line + 1}, column ${column + 1}: ${problem}`;
  return new CsvError(line === first ? at : `record on line ${first + 1}; ${at}`);
}
