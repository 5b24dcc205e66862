import type { Attack } from "./attack.ts";
import { costlyRequests } from "./costly/costly-requests.ts";
import { CostlyServer } from "./costly/costly-server.ts";

const largest = 10_000;
const requestsInRound = 20;

/** Requests of every costly kind, mostly small, some large: none holds up the server. */
export const costlyRequestsAttack: Attack = {
  name: "costly requests",
  start: async (random, tally) => {
    const server = new CostlyServer();
    return {
      round: async () => {
        for (let count = 0; count < requestsInRound; count += 1) {
          const costly = random.pick(costlyRequests);
          const size = Math.floor(largest ** ((random.below(1000) / 1000) ** 2));
          const send = await server.prepared(costly, size);
          const started = performance.now();
          const { status } = await send();
          tally.count(status, performance.now() - started, `${size} ${costly.name}`);
        }
      },
      settle: async () => {},
      close: () => server.close(),
    };
  },
};
