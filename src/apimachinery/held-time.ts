import { type Clock, realTimeout } from "./clock.ts";

/** How long an answer from elsewhere may take, in real milliseconds, before time is what it waits for. */
export const answerPatience = 250;

/**
 * Lets the time of a clock go on although a controller may wait for it: for a request that is held back, or for an answer that
 * takes longer than `patience` in real milliseconds. Returns what ends that.
 */
export function letTimeGoOn(clock: Clock, patience = 0): () => void {
  const key = {};
  const timer = realTimeout(patience, () => clock.works?.set(key, undefined));
  return () => {
    timer.cancel();
    clock.works?.delete(key);
  };
}
