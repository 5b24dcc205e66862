import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "../tools/run.mjs";
import { type Benchmark, median } from "./benchmark.ts";

const runs = 5;

/** What a test file pays for its writes: CPU time of fresh processes with the built package, in alternation with others. */
export const benchmarks: readonly Benchmark[] = [
  row("first create", "import, cluster, settled, first create", "nothing", 4),
  row("2,000 creates", "2,000 creates of pods that differ", "parsing", 22),
  row("tests with forks", "20 tests of 5 writes, each with a fork of 50 pods", "nothing", 12),
  row("tests with clusters", "20 tests of 5 writes, each with a cluster of 50 pods", "nothing", 18),
];

function row(work: string, what: string, reference: "nothing" | "parsing", atMost: number): Benchmark {
  const than = reference === "nothing" ? "that does nothing" : "that parses and prints them";
  return {
    what: `fresh process: ${what}`,
    reference: `a process ${than}`,
    atMost,
    unit: "x",
    measure: async () => {
      const script = fileURLToPath(await compile("bench/children/fresh-process.ts"));
      try {
        const ratios: number[] = [];
        for (let index = 0; index < runs; index++) {
          const base = cpuOf(script, reference);
          ratios.push(cpuOf(script, work) / base);
        }
        return median(ratios);
      } finally {
        rmSync(script, { force: true });
      }
    },
  };
}

/** Milliseconds. */
function cpuOf(script: string, work: string): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, work], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
