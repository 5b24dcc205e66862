import type { Report } from "./battle.ts";

/** What a report may show at most. */
const limits = {
  /** How much memory may grow, in bytes: the log of requests alone keeps 32 MiB. */
  growth: 64 * 1024 * 1024,
  /** The longest time to an answer, in milliseconds, with a margin for busy machines. */
  slowest: 10_000,
};

const header = ["attack", "tried", "2xx", "3xx", "4xx", "5xx", "no answer", "slowest", "memory before"];
const defects = ["memory after", "crashes", "lost or reordered", "ways in", "malformed"];

/** The reports as a Markdown table. A bad cell is marked with `!`. */
export function reportTable(reports: readonly Report[]): string {
  const head = [...header, ...defects];
  const rows = [head, head.map(() => "---"), ...reports.map(cellsOf)];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Why a report is bad; empty if it is not. */
export function complaintsOf({ name, defects, findings, memory, slowest }: Report): readonly string[] {
  const complaints = [...findings];
  const found = Object.values(defects).reduce((sum, count) => sum + count, 0);
  if (found > findings.length) complaints.push(`${found - findings.length} more`);
  const growth = memory.after - memory.before;
  if (growth > limits.growth) complaints.push(`memory grew by ${mebibytes(growth)}`);
  if (slowest.milliseconds > limits.slowest)
    complaints.push(`an answer took ${seconds(slowest.milliseconds)}: ${slowest.what}`);
  return complaints.map((complaint) => `${name}: ${complaint}`);
}

function cellsOf({ name, tried, answers, defects, memory, slowest }: Report): readonly string[] {
  const bad = (text: string, isBad: boolean) => (isBad ? `${text} !` : text);
  const count = (found: number) => bad(String(found), found > 0);
  return [
    name,
    String(tried),
    ...(["2xx", "3xx", "4xx", "5xx", "none"] as const).map((kind) => String(answers[kind])),
    bad(seconds(slowest.milliseconds), slowest.milliseconds > limits.slowest),
    mebibytes(memory.before),
    bad(mebibytes(memory.after), memory.after - memory.before > limits.growth),
    count(defects.crash),
    count(defects["lost or reordered"]),
    count(defects["way in"]),
    count(defects.malformed),
  ];
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
