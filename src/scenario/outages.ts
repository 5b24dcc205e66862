import { boolean } from "../apimachinery/option-types.ts";
import { ConnectionFailure } from "../request/connection-failure.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import type { FaultHandle } from "./fault.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { type ScenarioOptions, scopeNames, scopeOf } from "./scenario-options.ts";

/** The definitions of the failures in this file. */
export const outages: FailureDefinitions<"disconnected" | "down"> = {
  disconnected: { times: Number.POSITIVE_INFINITY, options: { compact: boolean } },
  down: { times: Number.POSITIVE_INFINITY, without: [...scopeNames, "nth", "times"] },
};

/** How long the server is down. */
export type DownOptions = Pick<ScenarioOptions, "lasting">;

/**
 * Takes the server down until the fault is removed or `lasting` has passed: a port closes its connections and refuses new
 * ones; in process every request fails and open watches break. Each request and watch that it breaks in process counts as a
 * hit, and its start if a port is open. Faithful on every transport.
 */
export function down(options: DownOptions = {}): Scenario {
  const refused = async () => {
    throw new ConnectionFailure("refused");
  };
  return scenario("down", outages.down, options, refused, {
    begin: ({ interrupt, watches }, struck) => {
      const restore = interrupt(struck);
      for (const watch of watches.matching({})) {
        struck();
        watch.break(new ConnectionFailure("reset"));
      }
      return restore;
    },
  });
}

/** Which clients are disconnected, and whether history is compacted before they return. */
export interface DisconnectedOptions extends ScenarioOptions {
  /** Whether changes in the meantime are compacted away, so that clients must list again. Default: false. */
  readonly compact?: boolean;
}

/**
 * Disconnects clients until the fault is removed: open watches in scope break, and requests fail. The clients miss the
 * changes that others make in the meantime. Faithful on every transport.
 */
export function disconnected(options: DisconnectedOptions = {}): Scenario {
  const { compact = false } = options;
  const unanswered = async () => {
    throw new ConnectionFailure("streamReset");
  };
  return scenario("disconnected", outages.disconnected, options, unanswered, {
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
 * Runs some work while clients are disconnected, so that they miss its changes:
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
