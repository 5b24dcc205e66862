import { ConnectionFailure } from "../request/connection-failure.ts";
import type { FaultHandle } from "./fault.ts";
import { type Scenario, type ScenarioOptions, scenario, scopeOf } from "./scenario.ts";

/** How long nobody is there. */
export type DownOptions = Pick<ScenarioOptions, "lasting">;

/**
 * The server is down until the fault is taken back, or for as long as `lasting` says: a port closes its connections
 * and refuses new ones, and in process every request fails and open watches break. It counts what it breaks in
 * process, and its beginning. Faithful on every transport.
 */
export function down(options: DownOptions = {}): Scenario {
  const refused = async () => {
    throw new ConnectionFailure("refused");
  };
  return scenario("down", { ...options, times: Number.POSITIVE_INFINITY }, {}, refused, {
    begin: ({ interrupt, watches }, struck) => {
      struck();
      const restore = interrupt();
      for (const watch of watches.matching({})) {
        struck();
        watch.break(new ConnectionFailure("reset"));
      }
      return restore;
    },
  });
}

/** Who is disconnected, and what has been forgotten when they are back. */
export interface DisconnectedOptions extends ScenarioOptions {
  /** Whether what happened meanwhile is compacted away, so that clients must list again. Default: false. */
  readonly compact?: boolean;
}

/**
 * Clients are cut off until the fault is taken back: open watches of the scope break, and requests fail. What others
 * write meanwhile they miss. Faithful on every transport.
 */
export function disconnected(options: DisconnectedOptions = {}): Scenario {
  const { compact = false } = options;
  const unanswered = async () => {
    throw new ConnectionFailure("streamReset");
  };
  const lasting = { times: Number.POSITIVE_INFINITY, ...options };
  return scenario("disconnected", lasting, {}, unanswered, {
    begin: ({ watches, expireHistory }, struck) => {
      for (const watch of watches.matching(scopeOf(options))) {
        struck();
        watch.break(new ConnectionFailure("streamReset"));
      }
      return () => {
        if (compact) expireHistory();
      };
    },
  });
}

/**
 * Does some work while clients are cut off, so that they miss what it does:
 * `await whileDisconnected(cluster, () => cluster.delete("v1", "Pod", "web"), { compact: true })`.
 */
export async function whileDisconnected<T>(
  cluster: { inject(scenario: Scenario): FaultHandle },
  work: () => Promise<T>,
  options: DisconnectedOptions = {},
): Promise<T> {
  const fault = cluster.inject(disconnected(options));
  try {
    return await work();
  } finally {
    fault.remove();
  }
}
