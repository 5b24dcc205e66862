/** A column of a Table, with the fields that kubectl uses. */
export interface PrintedColumn {
  readonly name: string;
  /** Columns with a priority above 0 belong to `-o wide`. */
  readonly priority: number;
}

export type Cells = readonly (string | number | boolean)[];

/** The minimum width of a column, and the gap between two columns. */
const narrowest = 6;
const gap = 3;

/** The output of kubectl for a Table: upper-case names, columns as wide as their content, an open last column. */
export function printedTable(
  columns: readonly PrintedColumn[],
  rows: readonly Cells[],
  isWide: boolean,
): string {
  const isShown = columns.map(({ priority }) => isWide || priority === 0);
  const shown = (cells: Cells) => cells.filter((_, at) => isShown[at]).map(String);
  const lines = [columns.map(({ name }) => name.toUpperCase()), ...rows].map(shown);
  const widths = columns.map((_, at) =>
    Math.max(narrowest, ...lines.map((line) => (line[at] ?? "").length + gap)),
  );
  const padded = (line: readonly string[]) =>
    line.map((text, at) => (at === line.length - 1 ? text : text.padEnd(widths[at] ?? 0))).join("");
  return lines.map((line) => `${padded(line)}\n`).join("");
}
