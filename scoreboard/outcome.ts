import type { LoggedRequest } from "../src/scenario/presets.ts";

/** The observed reaction of a client to a failure. */
export interface Observation {
  /** Whether the failure hit at all: not every client sends the requests it affects. */
  readonly hit: boolean;
  /** Seconds from the end of the failure until the client had caught up; undefined if it never did. */
  readonly caughtUpAfter: number | undefined;
  /** How the client reported its end, in a few words; undefined if it did not. */
  readonly gaveUp: string | undefined;
  /** Whether a stream of a pod has ended for it as if all were well. */
  readonly lost: boolean;
  /** Seconds for which it was observed after that. */
  readonly seconds: number;
  /** The number of requests for one path in the busiest second. */
  readonly busiest: number;
}

/** The result of a client for a failure. */
export type Outcome =
  | { readonly kind: "recovered"; readonly seconds: number; readonly looped: number }
  | { readonly kind: "died"; readonly words: string; readonly looped: number }
  | { readonly kind: "lost"; readonly looped: number }
  | { readonly kind: "stale"; readonly seconds: number; readonly looped: number }
  | { readonly kind: "unmeasured"; readonly reason: string };

/** From this rate on, a client is a burden to a busy server. */
const loop = 10;

/** The outcome of an observation. */
export function outcomeOf({ hit, caughtUpAfter, gaveUp, lost, seconds, busiest }: Observation): Outcome {
  if (!hit) return { kind: "unmeasured", reason: "it never sends such a request" };
  const looped = busiest >= loop ? busiest : 0;
  if (caughtUpAfter !== undefined) return { kind: "recovered", seconds: caughtUpAfter, looped };
  if (lost) return { kind: "lost", looped };
  if (gaveUp !== undefined) return { kind: "died", words: gaveUp, looped };
  return { kind: "stale", seconds, looped };
}

/** The highest number of requests for one path within one second; single requests for many paths are not a loop. Expects the order of arrival. */
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
    case "lost":
      return `${loops(outcomes)}**lost** output`;
    case "stale":
      return `${loops(outcomes)}**stale** for ${span(outcomes)} and more`;
    case "recovered":
      return `${loops(outcomes)}recovered${slowest(outcomes) < 1 ? "" : ` after ${span(outcomes)}`}`;
  }
}

/** Whether two outcomes differ at most slightly in time. */
export function isAlike(one: Outcome, other: Outcome): boolean {
  const isTimely = Math.abs(secondsOf(one) - secondsOf(other)) < 10;
  return isTimely && formatOutcomes([untimed(one)]) === formatOutcomes([untimed(other)]);
}

function untimed(outcome: Outcome): Outcome {
  if (outcome.kind === "unmeasured") return outcome;
  const looped = Math.min(outcome.looped, 1);
  return outcome.kind === "died" || outcome.kind === "lost"
    ? { ...outcome, looped }
    : { ...outcome, seconds: 0, looped };
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
