/** The state of the switches in one worker. */
export interface SwitchState {
  /** The mutant that is on; 0 for none. */
  on: number;
  /** Whether the code of that mutant has run since it is on. */
  isEffective: boolean;
}

/** A test that runs again with mutants that it has reached. */
export interface Trial {
  readonly run: () => unknown;
  readonly mutants: readonly number[];
  /** How long one run may take, in milliseconds. */
  readonly limit: number;
  readonly onTry: (mutant: number) => void;
  readonly onKill: (mutant: number) => void;
}

// Tests may replace the timers.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/**
 * Runs a test with each of the mutants, and returns those that it decides. It kills a mutant if it fails with it twice, and
 * passes before and between without one: a machine that is busy for a moment kills none. A test that cannot be repeated
 * decides nothing.
 */
export async function tryMutants(
  { run, mutants, limit, onTry, onKill }: Trial,
  state: SwitchState,
): Promise<ReadonlySet<number>> {
  const decided = new Set<number>();
  const outcomeWith = (mutant: number) => {
    state.on = mutant;
    state.isEffective = false;
    return outcome(run, limit).finally(() => {
      state.on = 0;
    });
  };
  if ((await outcomeWith(0)) !== "passes") return decided;
  for (const mutant of mutants) {
    onTry(mutant);
    const result = await outcomeWith(mutant);
    // What is remembered from the first run hides a mutant.
    if (state.isEffective && result === "passes") decided.add(mutant);
    if (result === "passes") continue;
    if (result === "hangs" || (await outcomeWith(0)) !== "passes") return decided;
    const again = await outcomeWith(mutant);
    if (again === "passes") continue;
    if (again === "hangs" || (await outcomeWith(0)) !== "passes") return decided;
    decided.add(mutant);
    onKill(mutant);
  }
  return decided;
}

async function outcome(run: () => unknown, limit: number): Promise<"passes" | "fails" | "hangs"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hangs">((resolve) => {
    timer = startTimer(() => resolve("hangs"), limit);
  });
  try {
    return await Promise.race([passes(run), late]);
  } finally {
    stopTimer(timer);
  }
}

async function passes(run: () => unknown): Promise<"passes" | "fails"> {
  try {
    await run();
    return "passes";
  } catch {
    return "fails";
  }
}
