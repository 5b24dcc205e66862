import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Frees what is no longer referenced, so that a WeakRef tells. */
export async function collectGarbage(): Promise<void> {
  // Waits for a new turn of the event loop: an object that was read through a WeakRef stays alive until the turn ends.
  await new Promise((resolve) => setTimeout(resolve));
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
