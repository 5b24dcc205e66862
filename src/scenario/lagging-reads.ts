import { StatusError } from "../apimachinery/errors/errors.ts";
import { integerFrom } from "../apimachinery/option-types.ts";
import type { ApiResponse } from "../request/handler.ts";
import { readResponseBody } from "../request/plain-request.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { ReplicaView } from "./replica-view.ts";
import { type FaultContext, type Need, queryOf, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

/** The definitions of the failures in this file. */
export const laggingReads: FailureDefinitions<"laggingReplica" | "staleRead"> = {
  laggingReplica: {
    verbs: ["get", "list", "watch"],
    scope: { verb: ["get", "list", "watch"] },
    times: Number.POSITIVE_INFINITY,
    options: { behind: integerFrom(0) },
  },
  staleRead: {
    verbs: ["get", "list"],
    scope: { verb: ["get", "list"] },
    options: { behind: integerFrom(1) },
  },
};

/** How stale an answer is. */
export interface StaleReadOptions extends ScenarioOptions {
  /** How many revisions it is behind, at most as far as history goes. Default: 1. */
  readonly behind?: number;
}

/**
 * Answers a read from an older state, as a server with a lagging watch cache does. Only reads that accept such a state
 * are affected: those with `resourceVersion=0`, and those that ask for a state not older than a given one. Faithful on
 * every transport.
 */
export function staleRead(options: StaleReadOptions = {}): Scenario {
  const { behind = 1 } = options;
  const stale: Scenario["effect"] = (server) => staleAnswer(server, server.viewOf(behind));
  return scenario("staleRead", laggingReads.staleRead, options, stale, { need: cachedRead });
}

/** The answer from an older state, which reaches the client if the newest state would have another answer. */
async function staleAnswer(
  { request, revision, answer, newest, struck, missed }: FaultContext,
  from: ReplicaView,
): Promise<ApiResponse> {
  if (from.store.revision === revision()) {
    missed("nothing was written between the older state and the newest");
    return answer({ from });
  }
  // The resourceVersion of a list shows how old it is.
  const current = request.verb === "get" ? await newest() : undefined;
  try {
    const answered = await answer({ from });
    if (current !== undefined && (await isSame(answered, current)))
      missed("its object was not written between the older state and the newest");
    return answered;
  } catch (error) {
    // The older state may lack the object.
    if (error instanceof StatusError && current !== undefined && error.code !== current.status) struck();
    throw error;
  }
}

async function isSame(one: ApiResponse, other: ApiResponse): Promise<boolean> {
  if (one.status !== other.status) return false;
  const [bytes, others] = await Promise.all([readResponseBody(one.body), readResponseBody(other.body)]);
  return bytes.length === others.length && bytes.every((byte, at) => byte === others[at]);
}

/** How far the replica lags. */
export interface LaggingReplicaOptions extends ScenarioOptions {
  /** How many revisions it is behind when it stops following. Default: 0: it misses only later writes. */
  readonly behind?: number;
}

/**
 * Connects clients to a replica whose watch cache stands still until the fault is over: reads from the cache are stale,
 * watches are silent, and a request for a newer state waits three seconds and gets 504. Writes and consistent reads go
 * to the storage that all replicas share. When the fault is over, the replica catches up. Faithful on every transport.
 */
export function laggingReplica(options: LaggingReplicaOptions = {}): Scenario {
  const { behind = 0 } = options;
  let replica: ReplicaView | undefined;
  const effect: Scenario["effect"] = (server) => {
    if (replica === undefined) return server.answer();
    return server.request.verb === "watch" ? silentWatch(server, replica) : staleAnswer(server, replica);
  };
  return scenario("laggingReplica", laggingReads.laggingReplica, options, effect, {
    need: cachedRead,
    begin: ({ viewOf, clock }) => {
      const view = viewOf(behind);
      replica = view;
      // The last struck request still finds the replica lagging.
      return () => void clock.after(0, () => view.catchUp());
    },
  });
}

/** A watch on the replica: its client feels the lag from the first write that the replica misses. */
async function silentWatch({ answer, struck, waits }: FaultContext, from: ReplicaView): Promise<ApiResponse> {
  waits(() => "nothing was written that the replica has missed");
  const answered = await answer({ from });
  from.onMissedWrite(struck);
  return answered;
}

/** Whether the watch cache may answer without waiting. */
const cachedRead: Need = {
  text: "that a watch cache may answer",
  reason: "it needs resourceVersion=0 in its query, because other reads ask for the newest state",
  holds: (request: LoggedRequest) => {
    const query = queryOf(request);
    const resourceVersion = query.get("resourceVersion") ?? "";
    const match = query.get("resourceVersionMatch") ?? "";
    if (request.verb === "watch") return resourceVersion !== "" || !query.has("sendInitialEvents");
    if (resourceVersion === "" || match === "Exact" || query.get("continue")) return false;
    return resourceVersion === "0" || match !== "" || Number(query.get("limit") ?? 0) <= 0;
  },
};
