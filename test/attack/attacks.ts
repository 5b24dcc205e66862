import type { Attack } from "./attack.ts";
import { costlyRequestsAttack } from "./costly-requests-attack.ts";
import { http1Bytes, http2Frames } from "./port-attack.ts";
import { randomRequests, sensibleRequests } from "./random-requests-attack.ts";
import { strangers } from "./strangers-attack.ts";
import { watchers } from "./watchers-attack.ts";
import { concurrentWriters, faultyMoments } from "./writers-attack.ts";

/** Every kind of attack. */
export const attacks: readonly Attack[] = [
  randomRequests,
  sensibleRequests,
  costlyRequestsAttack,
  strangers,
  http1Bytes,
  http2Frames,
  concurrentWriters,
  faultyMoments,
  watchers,
];
