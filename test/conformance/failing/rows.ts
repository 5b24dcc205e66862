import {
  bookmarks,
  closeWatch,
  conflict,
  continueExpired,
  crdNotReady,
  deleteReturns,
  down,
  emptyAsNull,
  etcdLeaderChange,
  freeze,
  groupDown,
  laggingReplica,
  namespaceTerminating,
  noInitialEventsEnd,
  notReady,
  permissionRevoked,
  refuseInitialEvents,
  reset,
  type Scenario,
  slice,
  storageInitializing,
  streamError,
  throttle,
  tokenExpired,
  tooLargeResourceVersion,
  truncate,
  unauthorizedOnce,
  unknownEvent,
  watchGone,
  webhookTimeout,
  whileDisconnected,
} from "../../../src/scenario/presets.ts";
import type { RunOptions } from "./client.ts";
import type { Outcome, Stage } from "./stage.ts";

/** One failure that breaks real clients, and the outcome of a naive client. */
export interface Row {
  /** Its number in the list of failures that break real clients; 0 for failures that are not in the list. */
  readonly number: number;
  readonly title: string;
  readonly play: (stage: Stage) => Promise<Outcome>;
  readonly naive: Outcome;
}

/** The client has the complete state, then a failure hits its watch; objects change, and time passes. */
function whileWatching(scenario: () => Scenario, options: RunOptions = {}): Row["play"] {
  return async (stage) => {
    // The first watch ends, so that the failure hits the next one.
    stage.cluster.inject(closeWatch({ afterEvents: 1 }));
    await stage.begin(options);
    const fault = stage.cluster.inject(scenario());
    await stage.write("c", "first");
    await stage.pass(10);
    await stage.change();
    await stage.pass(30);
    fault.remove();
    return stage.outcome();
  };
}

/** The failure is active when the client starts. */
function whileBeginning(scenario: () => Scenario, streaming = false): Row["play"] {
  return async (stage) => {
    stage.cluster.inject(scenario());
    await stage.begin({ streaming });
    await stage.change();
    // The end comes before the next bookmark.
    return stage.outcome(streaming ? 50 : undefined);
  };
}

/** A write that fails at first. */
function writing(scenario: () => Scenario, write: (stage: Stage) => Promise<unknown>): Row["play"] {
  return async (stage) => {
    stage.cluster.inject(scenario());
    return stage.during(write(stage));
  };
}

const creating = (stage: Stage) => stage.client.create("new");
/** More often than a client with pauses sends requests, but not forever. */
const often = 20;

/** In the order of the list of failures that break real clients; failures that are not in the list come last. */
export const rows: readonly Row[] = [
  {
    number: 1,
    title: "410 at the beginning of a watch",
    play: whileWatching(() => watchGone({ at: "open", times: often })),
    naive: "looped",
  },
  {
    number: 1,
    title: "410 in the stream, which stays open",
    play: whileWatching(() => watchGone({ close: false })),
    naive: "stale",
  },
  {
    number: 2,
    title: "a half-open watch",
    play: whileWatching(() => freeze()),
    naive: "stale",
  },
  {
    number: 3,
    title: "a missed delete",
    play: async (stage) => {
      await stage.begin();
      await whileDisconnected(stage.cluster, () => stage.change(), { compact: true });
      return stage.outcome();
    },
    naive: "stale",
  },
  {
    number: 4,
    title: "504 with a cause",
    play: whileBeginning(() => tooLargeResourceVersion({ verb: "list", times: often })),
    naive: "looped",
  },
  {
    number: 4,
    title: "504 without a cause",
    play: whileBeginning(() => tooLargeResourceVersion({ verb: "list", times: often, withCause: false })),
    naive: "looped",
  },
  {
    number: 5,
    title: "an expired continue token",
    play: whileBeginning(() => continueExpired({ inconsistent: false })),
    naive: "stale",
  },
  {
    number: 6,
    title: "initial events that never end",
    play: whileBeginning(noInitialEventsEnd, true),
    naive: "waits",
  },
  {
    number: 6,
    title: "a server that does not stream lists",
    play: whileBeginning(() => refuseInitialEvents({ times: often }), true),
    naive: "looped",
  },
  {
    number: 7,
    title: "429 with Retry-After",
    play: whileWatching(() => throttle({ verb: "watch", times: 3, retryAfter: 10 })),
    naive: "impatient",
  },
  {
    number: 7,
    title: "429 without a hint",
    play: whileWatching(() => throttle({ verb: "watch", times: often, retryAfter: false })),
    naive: "looped",
  },
  {
    number: 7,
    title: "429 of a watch cache that initializes",
    play: whileBeginning(() => storageInitializing({ times: 2 })),
    naive: "impatient",
  },
  {
    number: 8,
    title: "a reset connection",
    play: whileWatching(() => reset({ times: often })),
    naive: "looped",
  },
  {
    number: 8,
    title: "a server that is down for a while",
    play: async (stage) => {
      await stage.begin();
      stage.cluster.inject(down({ lasting: "30s" }));
      await stage.change();
      return stage.outcome();
    },
    naive: "looped",
  },
  {
    number: 9,
    title: "events and characters split into chunks",
    play: whileWatching(() => slice({ bytes: 7 })),
    naive: "died",
  },
  {
    number: 9,
    title: "a truncated event",
    play: whileWatching(() => truncate()),
    naive: "died",
  },
  {
    number: 10,
    title: "another writer",
    play: writing(
      () => conflict({ times: 3 }),
      (stage) => stage.client.update("a", "mine"),
    ),
    naive: "died",
  },
  {
    number: 11,
    title: "a lagging replica",
    play: async (stage) => {
      await stage.begin();
      await stage.change();
      await stage.pass(1);
      // The watch breaks, history is compacted, and the client reconnects to another server.
      stage.cluster.inject(watchGone());
      stage.cluster.inject(laggingReplica({ behind: 3, lasting: "60s" }));
      await whileDisconnected(stage.cluster, async () => {});
      return stage.outcome();
    },
    naive: "went back",
  },
  {
    number: 12,
    title: "bookmarks of bare objects",
    play: whileWatching(() => bookmarks(), { bookmarks: true }),
    naive: "died",
  },
  {
    number: 13,
    title: "an ERROR with the code 500",
    play: whileWatching(() => streamError()),
    naive: "died",
  },
  {
    number: 13,
    title: "an event of an unknown type",
    play: whileWatching(() => unknownEvent()),
    naive: "died",
  },
  {
    number: 14,
    title: "watches that end immediately",
    play: whileWatching(() => closeWatch({ times: often })),
    naive: "looped",
  },
  {
    number: 15,
    title: "an expired token",
    play: whileWatching(() => tokenExpired()),
    naive: "looped",
  },
  {
    number: 15,
    title: "401 once",
    play: writing(() => unauthorizedOnce({ verb: "create" }), creating),
    naive: "died",
  },
  {
    number: 16,
    title: "a backup restored under open watches",
    play: async (stage) => {
      await stage.begin();
      const backup = stage.cluster.snapshot();
      for (let n = 0; n < 20; n++) await stage.write("b", `${n}`);
      await stage.pass(1);
      stage.cluster.restore(backup, { watches: "keep" });
      await stage.change();
      return stage.outcome();
    },
    naive: "stale",
  },
  {
    number: 17,
    title: "a group that is down",
    play: writing(
      () => groupDown({ times: often }),
      async (stage) => {
        if (!(await stage.client.discover()).includes("deployments"))
          throw new Error("deployments not found");
      },
    ),
    naive: "died",
  },
  {
    number: 18,
    title: "null instead of an empty map",
    play: async (stage) => {
      await stage.cluster.patch("v1", "ConfigMap", "a", { data: null });
      return whileBeginning(() => emptyAsNull({ fields: ["data"], verb: "list", times: often }))(stage);
    },
    naive: "died",
  },
  {
    number: 18,
    title: "a Status as the response to a delete",
    play: async (stage) => {
      const metadata = { name: "web", labels: { value: "old" } };
      await stage.cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
      stage.cluster.inject(deleteReturns("status"));
      return stage.during(stage.client.remove("web"));
    },
    naive: "died",
  },
  {
    number: 20,
    title: "a custom resource that is not served yet",
    play: writing(
      () => crdNotReady({ group: "coordination.k8s.io", version: "v1" }),
      (stage) => stage.client.create("new", "Lease"),
    ),
    naive: "died",
  },
  ...(
    [
      ["a webhook that does not answer", () => webhookTimeout({ times: 2 })],
      ["a terminating namespace", () => namespaceTerminating()],
      ["etcd without a leader", () => etcdLeaderChange({ verb: "create" })],
      ["a server that is not ready", () => notReady({ verb: "create" })],
    ] as const
  ).map(([title, scenario]) => ({
    number: 20,
    title,
    play: writing(scenario, creating),
    naive: "died" as const,
  })),
  {
    number: 0,
    title: "a permission that is revoked for a while",
    play: whileWatching(() => permissionRevoked({ verb: "watch", times: often })),
    naive: "looped",
  },
];
