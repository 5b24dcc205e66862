/** The state of the switches in one worker. */
export interface SwitchState {
  /** The mutant that is on; 0 for none. */
  on: number;
  /** Whether the code of that mutant has run since it is on. */
  isEffective: boolean;
  /** The passes of loops since the count was last set to zero. */
  steps: number;
  /** How many passes a mutant may take. */
  mostSteps: number;
}

/** Counts one pass of a loop. It throws if a mutant takes far more of them than the original, since it may never end. */
export function countStep(state: SwitchState): void {
  state.steps += 1;
  if (state.on !== 0 && state.steps > state.mostSteps) throw new Error("the mutant goes on for ever");
}

/** How many passes of loops a mutant may take where the original takes `usual` ones. */
export function mostSteps(usual: number): number {
  return 1_000_000 + 10 * usual;
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
    state.steps = 0;
    return outcome(run, limit).finally(() => {
      state.on = 0;
    });
  };
  if ((await outcomeWith(0)) !== "passes") return decided;
  state.mostSteps = mostSteps(state.steps);
  for (const mutant of mutants) {
    onTry(mutant);
    const result = await outcomeWith(mutant);
    // What is remembered from the first run hides a mutant.
    if (state.isEffective && result === "passes") decided.add(mutant);
    if (result === "passes") continue;
    if ((await outcomeWith(0)) !== "passes") return decided;
    if ((await outcomeWith(mutant)) === "passes") continue;
    if ((await outcomeWith(0)) !== "passes") return decided;
    decided.add(mutant);
    onKill(mutant);
  }
  return decided;
}

/** A test that takes longer than `limit` fails. */
async function outcome(run: () => unknown, limit: number): Promise<"passes" | "fails"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"fails">((resolve) => {
    timer = startTimer(() => resolve("fails"), limit);
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
