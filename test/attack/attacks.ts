import type { Attack } from "./attack.ts";
import { randomRequests, sensibleRequests } from "./random-requests-attack.ts";
import { concurrentWriters, faultyMoments } from "./writers-attack.ts";

/** Every kind of attack. */
export const attacks: readonly Attack[] = [
  randomRequests,
  sensibleRequests,
  concurrentWriters,
  faultyMoments,
];
