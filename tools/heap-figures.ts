import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { heapAfter, heapFigures } from "../test/attack/heap-figures.ts";
import { compile } from "./run.mjs";

/**
 * `node tools/run.mjs tools/heap-figures.ts [SCALE [WORDS...]]`: prints what work leaves in the heap. SCALE is the share of the
 * work to do, 1 by default; WORDS select the figures that contain one of them. Each figure has its own process.
 */
export async function main([scale = "1", ...words]: readonly string[]): Promise<number> {
  const url = await compile("tools/heap-figures.ts");
  console.log("What | left in the heap | at most | peak of the process");
  let failures = 0;
  for (const [index, { what, atMost }] of heapFigures.entries()) {
    if (words.length > 0 && !words.some((word) => what.includes(word))) continue;
    const script = `const { measure } = await import(${JSON.stringify(url)}); await measure(${index}, ${Number(scale)});`;
    const options = ["--expose-gc", "--input-type=module", "--eval", script];
    const { stdout, status } = spawnSync(process.execPath, options, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [left = Number.NaN, peak = Number.NaN] = stdout.trim().split(" ").map(Number);
    const isFine = status === 0 && left <= atMost;
    if (!isFine) failures += 1;
    console.log(
      `${what} | ${left.toFixed(1)} MB | ${atMost} MB | ${peak.toFixed(1)} MB${isFine ? "" : " | over"}`,
    );
  }
  return failures === 0 ? 0 : 1;
}

/** Measures one figure and prints what is left and the peak of the process, in megabytes, for `main`. */
export async function measure(index: number, scale: number): Promise<void> {
  const figure = heapFigures[index];
  if (figure === undefined) throw new Error(`there is no figure ${index}`);
  const left = await heapAfter(figure, scale);
  console.log(left, peakOfProcess());
  process.exit(0);
}

/** In megabytes. `maxRSS` of a child includes the peak of its parent, so Linux is asked for the peak since the program began. */
function peakOfProcess(): number {
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : "";
  const peak = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1];
  return (peak === undefined ? process.resourceUsage().maxRSS : Number(peak)) / 1024;
}
