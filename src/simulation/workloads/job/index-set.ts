/** The indexes in a text such as `1,3-5,7`, below a limit. What is malformed is left out. */
export function parseIndexes(text: string, completions: number): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of text.split(",")) {
    const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === undefined) continue;
    const end = Math.min(Number(last ?? first), completions - 1);
    for (let i = Number(first); i <= end; i++) indexes.add(i);
  }
  return indexes;
}

/** Indexes as a status shows them: two neighbors as `1,2`, more as `1-3`. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].toSorted((a, b) => a - b);
  const runs: number[][] = [];
  for (const index of sorted) {
    const run = runs.at(-1);
    if (run?.at(-1) === index - 1) run.push(index);
    else runs.push([index]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join())).join();
}

/** The first indexes that are in none of the sets. */
export function firstPending(
  count: number,
  completions: number,
  taken: readonly ReadonlySet<number>[],
): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < completions && found.length < count; i++) {
    if (!taken.some((set) => set.has(i))) found.push(i);
  }
  return found;
}
