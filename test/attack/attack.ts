import type { Random } from "../conformance/random.ts";
import type { Tally } from "./tally.ts";

/** A kind of attack. */
export interface Attack {
  readonly name: string;
  /** Prepares what is attacked. The same random numbers give the same requests. */
  readonly start: (random: Random, tally: Tally) => Promise<Assault> | Assault;
}

/** An attack in progress. */
export interface Assault {
  /** Sends some requests, at most about a hundred. */
  round(): Promise<void>;
  /** Checks the state that the rounds have left behind, and removes it. */
  settle(): Promise<void>;
  close(): Promise<void>;
}
