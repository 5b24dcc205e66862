/**
 * A budget of the project. A file `bench/NAME.bench.ts` exports `benchmarks: readonly Benchmark[]`;
 * `npm run bench` runs each file in its own process (with `gc` exposed) and prints one table.
 */
export interface Benchmark {
  readonly what: string;
  /** What the result is compared with. */
  readonly reference: string;
  readonly atMost: number;
  /** "x" for a ratio to the reference, "ms" or "kB" if the budget is absolute. */
  readonly unit: "x" | "ms" | "kB";
  readonly measure: () => number | Promise<number>;
  /** Why it cannot be measured here; undefined if it can. Default: it can. */
  readonly skipped?: () => string | undefined;
}

/** The work to measure; `times` calls of it are one sample. */
export type Work = () => unknown;

/**
 * How many times more CPU time `subject` takes than `reference`. Both are warm: a server under test answers thousands
 * of requests, so the first ones do not count. Samples alternate, so a slow moment of the machine affects
 * both, and the result is the median of the pairs.
 */
export async function cpuRatio(reference: Work, subject: Work, samples = 15): Promise<number> {
  await warmUp(reference);
  await warmUp(subject);
  const times = await calibrate(reference);
  const ratios: number[] = [];
  for (let index = 0; index < samples; index++) {
    const base = await sample(reference, times);
    ratios.push((await sample(subject, times)) / base);
  }
  return median(ratios);
}

/**
 * How many milliseconds of CPU time `subject` takes more than `reference`, of work that waits for nothing: the median of single
 * runs that alternate, so other work of the machine affects it little.
 */
export async function cpuDifference(reference: Work, subject: Work, samples = 9): Promise<number> {
  await reference();
  await subject();
  const differences: number[] = [];
  for (let index = 0; index < samples; index++) {
    const base = await sample(reference, 1);
    differences.push(((await sample(subject, 1)) - base) / 1000);
  }
  return median(differences);
}

/** Milliseconds of wall time, the median of `samples` single runs. */
export async function milliseconds(work: Work, samples = 15): Promise<number> {
  const found: number[] = [];
  for (let index = 0; index < samples; index++) {
    const start = performance.now();
    await work();
    found.push(performance.now() - start);
  }
  return median(found);
}

/** The middle of the sorted numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

const warmCalls = 5000;
const warmMicroseconds = 3_000_000;

/** Calls the work until the JIT compilers have optimized it: 5,000 times, or for three seconds of CPU if that is less. */
async function warmUp(work: Work): Promise<void> {
  let spent = 0;
  for (let calls = 0; calls < warmCalls && spent < warmMicroseconds; calls += 10) {
    spent += await sample(work, 10);
  }
}

/** How many calls make a sample of about 20 ms: long enough for the clock, short enough to alternate. */
async function calibrate(work: Work): Promise<number> {
  for (let times = 1; ; times *= 2) {
    if ((await sample(work, times)) >= 20_000) return times;
  }
}

/**
 * Microseconds of CPU. Young garbage of other work is collected first. A full collection would also discard the
 * optimized code for shapes that no object has at that moment, and the sample would measure its recompilation.
 */
async function sample(work: Work, times: number): Promise<number> {
  globalThis.gc?.({ type: "minor" });
  const start = process.cpuUsage();
  for (let index = 0; index < times; index++) await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
