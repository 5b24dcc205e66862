import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Random } from "../conformance/random.ts";
import type { Attack } from "./attack.ts";
import { Tally } from "./tally.ts";

/** How long an attack lasts: a number of requests, or of milliseconds. */
export type Budget = { readonly requests: number } | { readonly milliseconds: number };

/** How an attack went. */
export interface Report extends Pick<Tally, "tried" | "answers" | "defects" | "findings" | "slowest"> {
  readonly name: string;
  readonly seed: number;
  /** The bytes in use after garbage collection, early in the attack and at its end. */
  readonly memory: { readonly before: number; readonly after: number };
}

/** The part of the budget before memory is measured first: caches are warm then. */
const warmUp = 0.2;

/** How long the server may take to close, in milliseconds. */
const closing = 15_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Runs an attack within a budget. Exceptions that nothing handles count as crashes. */
export async function battle(attack: Attack, seed: number, budget: Budget): Promise<Report> {
  const tally = new Tally();
  const crashed = (error: unknown) => {
    tally.found("crash", error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  process.on("uncaughtException", crashed);
  process.on("unhandledRejection", crashed);
  try {
    return { name: attack.name, seed, ...(await fought(attack, new Random(seed), tally, budget)) };
  } finally {
    process.off("uncaughtException", crashed);
    process.off("unhandledRejection", crashed);
  }
}

async function fought(attack: Attack, random: Random, tally: Tally, budget: Budget) {
  const assault = await attack.start(random, tally);
  const started = performance.now();
  const spent = () =>
    "requests" in budget
      ? tally.tried / budget.requests
      : (performance.now() - started) / budget.milliseconds;
  const until = async (part: number): Promise<number> => {
    do await assault.round();
    while (spent() < part);
    await assault.settle();
    return memoryInUse();
  };
  const memory = { before: await until(warmUp), after: await until(1) };
  const hasClosed = await Promise.race([assault.close().then(() => true), pause(closing).then(() => false)]);
  if (!hasClosed) tally.found("crash", "the server does not close");
  const { tried, answers, defects, findings, slowest } = tally;
  return { tried, answers, defects, findings, slowest, memory };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Collects garbage until what is in use no longer shrinks: finalizers and streams take some turns. */
async function memoryInUse(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let unchanged = 0; unchanged < 3; unchanged += 1) {
    await pause(20);
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external < least * 0.99) unchanged = 0;
    least = Math.min(least, heapUsed + external);
  }
  return least;
}
