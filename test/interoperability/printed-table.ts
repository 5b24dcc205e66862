/** A column of a Table, as far as kubectl looks at it. */
export interface PrintedColumn {
  readonly name: string;
  /** Columns above 0 are those of `-o wide`. */
  readonly priority: number;
}

export type Cells = readonly (string | number | boolean)[];

/** The least width of a column, and what lies between two. */
const narrowest = 6;
const gap = 3;

/** The text that kubectl makes of a Table: names in capitals, columns as wide as what is in them, the last one open. */
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
