import { QuietServer } from "../conformance/quiet-server.ts";
import type { Attack } from "./attack.ts";
import { type SizedRequest, sizedRequests } from "./sized-requests.ts";

const largest = 20_000;

/** Large requests of every kind in a table: none may hold up the server. */
function largeRequests(table: readonly SizedRequest[]): Attack {
  return {
    name: "large requests",
    start: async (random, tally) => {
      const server = new QuietServer();
      await server.revision();
      const snapshot = server.cluster.snapshot();
      return {
        round: async () => {
          for (const { name, request } of table) {
            const size = 1 + random.below(largest);
            const started = performance.now();
            const { status } = await server.ask(request(size));
            tally.count(status, performance.now() - started, `${size} ${name}`);
          }
        },
        settle: async () => {
          server.cluster.restore(snapshot);
          server.cluster.compact();
        },
        close: () => server.cluster.close(),
      };
    },
  };
}

/** Large requests of the kinds that are known. Another table of such requests is another element. */
export const sizedRequestAttacks: readonly Attack[] = [largeRequests(sizedRequests)];
