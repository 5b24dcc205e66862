import { EventLoopTurns } from "../../contract/event-loop-turns.ts";

/**
 * Calls a function several times, in batches that start with one call and double. It stops after a batch with a failure, so that requests that all
 * fail alike are few, and returns the first error. Upstream: `slowStartBatch` (pkg/controller/replicaset/replica_set.go).
 */
export async function slowStart(count: number, call: (index: number) => Promise<void>): Promise<unknown> {
  const turns = new EventLoopTurns();
  let failure: unknown;
  for (let done = 0, size = 1; done < count && failure === undefined; size *= 2) {
    const end = Math.min(count, done + size);
    for (; done < end; done++) {
      const turned = turns.next();
      if (turned !== undefined) await turned;
      try {
        await call(done);
      } catch (error) {
        failure ??= error;
      }
    }
  }
  return failure;
}
