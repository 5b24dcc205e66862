import { type AnyRelease, type Release, sinceOf } from "../apimachinery/release.ts";

/** The state of a gate in a release. */
export interface GateStage {
  readonly stage: "Alpha" | "Beta" | "GA" | "Deprecated";
  readonly isOn: boolean;
  /** Whether the gate cannot be set to another value. */
  readonly isLocked: boolean;
  /** Whether the release has no such gate: only later ones, which emulate it, know what they would have done in it. */
  readonly isRetroactive: boolean;
}

/** The states of a gate with the releases that begin them; undefined from the release on that removes it. */
export type GateLife = readonly (readonly [since: AnyRelease, stage: GateStage | undefined])[];

/** Lives of gates from text, a line each: `WatchList 1.27A- 1.32B+`. */
export function gateLives(text: string): ReadonlyMap<string, GateLife> {
  const lines = text.trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [name = "", ...states] = line.split(" ");
      return [name, states.map(parseState)];
    }),
  );
}

/** The state in a release: `preAlpha` before the gate exists, undefined after its removal. */
export function stageOf(life: GateLife, release: Release): GateStage | "preAlpha" | undefined {
  const since = sinceOf<AnyRelease>(release);
  const state = life.findLast(([first]) => since(first));
  return state === undefined ? "preAlpha" : state[1];
}

/** Whether a server of the release has the gate. */
export function isGateOf(life: GateLife, release: Release): boolean {
  const stage = stageOf(life, release);
  return typeof stage === "object" && !stage.isRetroactive;
}

/** Whether a release does what the gate is for, unless it is set; upstream removes a gate when its feature stays as it is. */
export function isOnIn(life: GateLife, release: Release): boolean {
  const since = sinceOf<AnyRelease>(release);
  return life.findLast(([first, stage]) => stage !== undefined && since(first))?.[1]?.isOn ?? false;
}

const stageNames: ReadonlyMap<string, GateStage["stage"]> = new Map([
  ["A", "Alpha"],
  ["B", "Beta"],
  ["G", "GA"],
  ["D", "Deprecated"],
]);

/** `1.34B+!`: beta, on and locked since 1.34; `1.36X`: removed in 1.36; `^1.0G+`: as if generally available, in later releases that emulate an earlier one. */
function parseState(text: string): GateLife[number] {
  const [, mark, since = "", letter = "", sign, lock] =
    /^(\^?)(1\.[0-9]+)(?:X|([ABGD])([+-])(!?))$/.exec(text) ?? [];
  const stage = stageNames.get(letter);
  if (since === "") throw new Error(`${text} is not the state of a gate`);
  // The pattern is that of a release.
  const flags = { isOn: sign === "+", isLocked: lock === "!", isRetroactive: mark === "^" };
  return [since as AnyRelease, stage && { stage, ...flags }];
}
