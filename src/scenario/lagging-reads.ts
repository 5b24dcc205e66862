import type { LoggedRequest } from "./logged-request.ts";
import { type Need, queryOf, type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";
import type { StateView } from "./state-view.ts";

/** How old an answer is. */
export interface StaleReadOptions extends ScenarioOptions {
  /** How many revisions it is behind; as many as are remembered if there are fewer. Default: 1. */
  readonly behind?: number;
}

/**
 * A read is answered from an older state, as a server does whose watch cache lags. Only reads that leave the choice
 * to the server can be: those with `resourceVersion=0`, and those of anything not older than what they name. Faithful
 * on every transport.
 */
export function staleRead(options: StaleReadOptions = {}): Scenario {
  const { behind = 1 } = options;
  const stale: Scenario["strike"] = ({ viewOf, answerFrom }) => answerFrom(viewOf(behind));
  return scenario("staleRead", options, { verb: ["get", "list"] }, stale, { need: cachedRead });
}

/** How far a replica lags. */
export interface LaggingReplicaOptions extends ScenarioOptions {
  /** How many revisions it is behind when it stands still. Default: 0, it misses only what comes. */
  readonly behind?: number;
}

/**
 * Clients speak with a replica whose watch cache stands still until the fault is over: what they read from the cache
 * is as it was, their watches are silent, and who asks for something newer waits for three seconds and is told 504.
 * Writes, and reads of the newest, go to the storage that all replicas share. When it is over, the replica catches
 * up. Faithful on every transport.
 */
export function laggingReplica(options: LaggingReplicaOptions = {}): Scenario {
  const { behind = 0 } = options;
  let replica: StateView | undefined;
  const lasting = { times: Number.POSITIVE_INFINITY, ...options };
  const strike: Scenario["strike"] = ({ answer, answerFrom }) =>
    replica === undefined ? answer() : answerFrom(replica);
  return scenario("laggingReplica", lasting, { verb: ["get", "list", "watch"] }, strike, {
    need: cachedRead,
    begin: ({ viewOf, clock }) => {
      const view = viewOf(behind);
      replica = view;
      // Who is struck last still finds it lagging.
      return () => void clock.after(0, () => view.catchUp());
    },
  });
}

/** Whether the watch cache may answer, as it is. */
const cachedRead: Need = {
  text: "that a watch cache may answer",
  holds: (request: LoggedRequest) => {
    const query = queryOf(request);
    const resourceVersion = query.get("resourceVersion") ?? "";
    const match = query.get("resourceVersionMatch") ?? "";
    if (request.verb === "watch") return resourceVersion !== "" || !query.has("sendInitialEvents");
    if (resourceVersion === "" || match === "Exact" || query.get("continue")) return false;
    return resourceVersion === "0" || match !== "" || Number(query.get("limit") ?? 0) <= 0;
  },
};
