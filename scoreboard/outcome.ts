import type { LoggedRequest } from "../src/scenario/presets.ts";

/** What was seen of a client and a failure. */
export interface Observation {
  /** Whether the failure struck at all: not every client asks for what it is about. */
  readonly struck: boolean;
  /** Seconds from when there was something to see or do until the client had; undefined if it never did. */
  readonly caughtUpAfter: number | undefined;
  /** How it told that it was over, in a few words; undefined if it did not. */
  readonly gaveUp: string | undefined;
  /** Seconds for which it was watched after that. */
  readonly seconds: number;
  /** How many requests for one path came in the busiest second. */
  readonly busiest: number;
}

/** What a client makes of a failure. */
export type Outcome =
  | { readonly kind: "recovered"; readonly seconds: number; readonly looped: number }
  | { readonly kind: "died"; readonly words: string; readonly looped: number }
  | { readonly kind: "stale"; readonly seconds: number; readonly looped: number }
  | { readonly kind: "unmeasured"; readonly reason: string };

/** From here on clients are a burden to a server that has enough of its own. */
const loop = 10;

/** The outcome of an observation. */
export function outcomeOf({ struck, caughtUpAfter, gaveUp, seconds, busiest }: Observation): Outcome {
  if (!struck) return { kind: "unmeasured", reason: "it never asks for that" };
  const looped = busiest >= loop ? busiest : 0;
  if (caughtUpAfter !== undefined) return { kind: "recovered", seconds: caughtUpAfter, looped };
  if (gaveUp !== undefined) return { kind: "died", words: gaveUp, looped };
  return { kind: "stale", seconds, looped };
}

/** The most requests for one path within any second: many things asked for once are no loop. In the order in which they came. */
export function busiestSecond(requests: readonly Pick<LoggedRequest, "path" | "receivedAt">[]): number {
  const paths = new Set(requests.map(({ path }) => path));
  const most = [...paths].map((path) =>
    mostWithinASecond(requests.filter((one) => one.path === path).map(({ receivedAt }) => receivedAt)),
  );
  return Math.max(0, ...most);
}

function mostWithinASecond(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? time) >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** Outcomes of clients that share a column, in a few words. They must be alike. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const [first] = outcomes;
  if (first === undefined) return "";
  switch (first.kind) {
    case "unmeasured":
      return `– (${first.reason})`;
    case "died":
      return `${loops(outcomes)}**died** (${first.words})`;
    case "stale":
      return `${loops(outcomes)}**stale** for ${span(outcomes)} and more`;
    case "recovered":
      return `${loops(outcomes)}recovered${slowest(outcomes) < 1 ? "" : ` after ${span(outcomes)}`}`;
  }
}

/** Whether two outcomes differ in no more than a little time. */
export function isAlike(one: Outcome, other: Outcome): boolean {
  const isTimely = Math.abs(secondsOf(one) - secondsOf(other)) < 10;
  return isTimely && formatOutcomes([untimed(one)]) === formatOutcomes([untimed(other)]);
}

function untimed(outcome: Outcome): Outcome {
  if (outcome.kind === "unmeasured") return outcome;
  const looped = Math.min(outcome.looped, 1);
  return outcome.kind === "died" ? { ...outcome, looped } : { ...outcome, seconds: 0, looped };
}

function loops(outcomes: readonly Outcome[]): string {
  const most = Math.max(...outcomes.map((outcome) => ("looped" in outcome ? outcome.looped : 0)));
  return most === 0 ? "" : `**looped** (${most} requests in a second), `;
}

function slowest(outcomes: readonly Outcome[]): number {
  return Math.max(...outcomes.map(secondsOf));
}

function span(outcomes: readonly Outcome[]): string {
  const shortest = Math.round(Math.min(...outcomes.map(secondsOf)));
  const longest = Math.round(slowest(outcomes));
  return shortest === longest ? `${longest} s` : `${shortest} to ${longest} s`;
}

function secondsOf(outcome: Outcome): number {
  return "seconds" in outcome ? outcome.seconds : 0;
}
