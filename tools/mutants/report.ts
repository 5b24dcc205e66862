import type { Mutant } from "./mutant.ts";
import type { Verdict } from "./runner.ts";

/** The fate of one mutant. */
export interface Judged {
  readonly mutant: Mutant;
  readonly module: string;
  readonly verdict: Verdict;
  /** The number of test files that reach the mutant. */
  readonly tests: number;
  /** Why no test can kill the mutant. */
  readonly reason?: string;
}

/** The killed share of the mutants that are not equivalent; 1 if there are none. */
export function scoreOf(judged: readonly Judged[]): number {
  const counted = judged.filter(({ reason }) => reason === undefined);
  if (counted.length === 0) return 1;
  return counted.filter(({ verdict }) => verdict !== "survived").length / counted.length;
}

/** A table with a row for each module, and their sum. `totals` holds the number of all mutants of a module. */
export function formatScores(judged: readonly Judged[], totals: ReadonlyMap<string, number>): string {
  const rows = [...totals].map(([module, total]) =>
    rowOf(
      module,
      total,
      judged.filter((one) => one.module === module),
    ),
  );
  const all = [...totals.values()].reduce((sum, total) => sum + total, 0);
  const head = ["Module", "Mutants", "Sampled", "Killed", "Timed out", "Survived", "Equivalent", "Score"];
  const table = [head, ...rows, rowOf("all", all, judged)];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return table.map((row) => row.map(pad).join("  ")).join("\n");
}

function rowOf(module: string, total: number, judged: readonly Judged[]): readonly string[] {
  const counted = judged.filter(({ reason }) => reason === undefined);
  const count = (verdict: Verdict) => counted.filter((one) => one.verdict === verdict).length;
  const numbers = [
    total,
    counted.length,
    count("killed"),
    count("timed out"),
    count("survived"),
    judged.length - counted.length,
  ];
  return [module, ...numbers.map(String), `${(100 * scoreOf(judged)).toFixed(1)} %`];
}
