import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "./build.ts";
import { isFresh } from "./fingerprint.mjs";
import { compile } from "./run.mjs";

/** One row of the table, as a bench file prints it (see bench/benchmark.ts). */
interface Row {
  readonly what: string;
  readonly reference: string;
  /** Absent where it cannot be measured. */
  readonly measured?: number;
  /** Why it cannot be measured. */
  readonly skipped?: string;
  readonly atMost: number;
  readonly unit: string;
}

/** The page of the documentation with the table, and the line after which the table begins. */
const page = {
  file: "docs/benchmarks.md",
  mark: "<!-- The rest of this page is written by `npm run bench -- --write`. -->\n",
};

/**
 * `npm run bench [-- [--write] NAME...]`: runs every `bench/*.bench.ts` in its own process and prints one table. `--write`
 * puts the table of a whole run into the documentation.
 */
export async function main(args: readonly string[]): Promise<number> {
  const names = args.filter((arg) => arg !== "--write");
  const writes = names.length < args.length;
  if (writes && names.length > 0) throw new Error("--write is for the table of all benchmarks");
  const files = existsSync("bench") ? readdirSync("bench").filter((name) => name.endsWith(".bench.ts")) : [];
  const chosen = files.filter((file) => names.length === 0 || names.some((name) => file.includes(name)));
  if (!isFresh()) await build();
  const rows: Row[] = [];
  let failed = false;
  for (const file of chosen.sort()) {
    const found = await runFile(`bench/${file}`);
    if (found === undefined) failed = true;
    else rows.push(...found);
  }
  printTable(rows);
  if (writes && !failed) writePage(rows);
  return failed || rows.some(isOver) ? 1 : 0;
}

async function runFile(source: string): Promise<Row[] | undefined> {
  const url = await compile(source);
  const script = `const { benchmarks } = await import(${JSON.stringify(url)});
    for (const one of benchmarks) {
      const { what, reference, atMost, unit } = one;
      const skipped = one.skipped?.();
      const measured = skipped === undefined ? await one.measure() : undefined;
      console.log(JSON.stringify({ what, reference, atMost, unit, measured, skipped }));
    }
    process.exit(0);`;
  try {
    const options = ["--expose-gc", "--input-type=module", "--eval", script];
    const { status, stdout } = spawnSync(process.execPath, options, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) {
      console.error(`${source} failed`);
      return undefined;
    }
    return stdout
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(fileURLToPath(url), { force: true });
  }
}

function isOver({ measured = 0, atMost }: Row): boolean {
  return measured > atMost;
}

function cellsOf(row: Row): readonly string[] {
  const { what, reference, measured, atMost, unit, skipped = "" } = row;
  const number = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)}${unit}`;
  const found = measured === undefined ? "skipped" : number(measured);
  return [what, reference, found, number(atMost), isOver(row) ? "over" : skipped];
}

const heads = ["What", "Reference", "Measured", "At most", ""];

function writePage(rows: readonly Row[]): void {
  const [kept] = readFileSync(page.file, "utf8").split(page.mark);
  const lines = [heads, heads.map(() => "---"), ...rows.map(cellsOf)].map((row) => `| ${row.join(" | ")} |`);
  const table = `\nMeasured with Node ${process.versions.node}.\n\n${lines.join("\n")}\n`;
  writeFileSync(page.file, `${kept}${page.mark}${table}`);
}

function printTable(rows: readonly Row[]): void {
  const table = [heads, ...rows.map(cellsOf)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
