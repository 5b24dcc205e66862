import type { Cluster } from "../src/index.ts";
import {
  bareStatus,
  bookmarks,
  closeStream,
  closeWatch,
  conflict,
  continueExpired,
  deleteReturns,
  disconnected,
  doubledInitialEventsEnd,
  down,
  emptyAsNull,
  etcdLeaderChange,
  freeze,
  freezeStream,
  goAway,
  groupDown,
  laggingReplica,
  largeEvent,
  lateInitialEventsEnd,
  latency,
  namespaceTerminating,
  noInitialEventsEnd,
  notReady,
  noV5,
  outputAfterStatus,
  pairEvents,
  permissionRevoked,
  refuseInitialEvents,
  refuseUpgrade,
  reset,
  type Scenario,
  slice,
  staleRead,
  stallLog,
  storageInitializing,
  streamError,
  throttle,
  tooLargeResourceVersion,
  truncate,
  unauthorizedOnce,
  unknownEvent,
  watchGone,
  webhookTimeout,
} from "../src/scenario/presets.ts";

/** What a client does when a failure hits it: it follows objects, performs a single task, or opens a stream to a pod. */
export type Task =
  | "follow"
  | "write"
  | "create"
  | "delete"
  | "list"
  | "listNone"
  | "discover"
  | "execute"
  | "followLog";

/** A failure, and the task that it hits. */
export interface Case {
  readonly title: string;
  readonly task: Task;
  /** The faults to inject, for requests about this resource. */
  readonly faults: (about: About) => readonly Scenario[];
  /** Seconds after which lasting faults are removed. Default: they end by themselves. */
  readonly seconds?: number;
  /** What the query of a request must contain for the failure to affect it. Default: nothing. */
  readonly query?: string;
  /** Environment variables that make a client send such requests. Default: none. */
  readonly env?: { readonly [name: string]: string };
  /** When the faults are injected: before the client starts, or when it has a watch. Default: `start`. */
  readonly when?: "start" | "watching";
  /** What happens to the cluster then. Default: nothing. */
  readonly happens?: (cluster: Cluster) => Promise<void>;
}

/** The resource that a client requests. */
export interface About {
  readonly resource: string;
}

/** More often than any client sends requests while the failure lasts. */
const unlimited = 1_000_000;

/** Streaming lists, which client-go requests only if this variable is set. */
const streaming = { query: "sendInitialEvents=true", env: { KUBE_FEATURE_WatchListClient: "true" } };

/** Ordered by the harm they do. */
export const cases: readonly Case[] = [
  follow("410 when the watch is opened", (about) => [watchGone({ at: "open", ...about })]),
  follow(
    "410 whenever a watch is opened, for 3 s",
    (about) => [watchGone({ at: "open", times: unlimited, ...about })],
    {
      seconds: 3,
    },
  ),
  follow("410 in the stream, which ends", (about) => [watchGone({ afterEvents: 1, ...about })]),
  follow("410 in the stream, which stays open", (about) => [
    watchGone({ close: false, afterEvents: 1, ...about }),
  ]),
  follow("half-open watch", (about) => [freeze({ afterEvents: 1, ...about })]),
  follow("cut off for 3 s", (about) => [disconnected(about)], { when: "watching", seconds: 3 }),
  follow("cut off for 3 s, and history compacted", (about) => [disconnected({ compact: true, ...about })], {
    when: "watching",
    seconds: 3,
  }),
  follow("504 too large resource version, with its cause", (about) => [
    tooLargeResourceVersion({ verb: "watch", ...about }),
  ]),
  follow("504 too large resource version, without a cause", (about) => [
    tooLargeResourceVersion({ verb: "watch", withCause: false, ...about }),
  ]),
  follow("replica that lags for 3 s", (about) => [laggingReplica(about)], { seconds: 3 }),
  follow("first list from a stale cache", (about) => [staleRead({ behind: 2, ...about })]),
  one("list", "continue token expired, with a new one in the error", (about) => [continueExpired(about)]),
  one("list", "continue token expired, without a new one", (about) => [
    continueExpired({ inconsistent: false, ...about }),
  ]),
  follow("streaming list refused", (about) => [refuseInitialEvents(about)], streaming),
  follow("end of the initial events never reported", (about) => [noInitialEventsEnd(about)], streaming),
  follow("end of the initial events reported late", (about) => [lateInitialEventsEnd(about)], streaming),
  follow("end of the initial events reported twice", (about) => [doubledInitialEventsEnd(about)], streaming),
  follow("429 on the watch, Retry-After 1 s", (about) => [throttle({ verb: "watch", ...about })]),
  follow("429 on the watch, no Retry-After", (about) => [
    throttle({ verb: "watch", retryAfter: false, ...about }),
  ]),
  follow("429 storage is (re)initializing, three times", (about) => [
    storageInitializing({ times: 3, ...about }),
  ]),
  one("list", "429 on the list, Retry-After 1 s", (about) => [throttle({ verb: "list", ...about })]),
  follow("connection reset after an event", (about) => [reset({ afterEvents: 1, ...about })]),
  follow("stream reset after an event", (about) => [reset({ of: "stream", afterEvents: 1, ...about })]),
  follow("connection closed after an event", (about) => [goAway({ close: true, afterEvents: 1, ...about })]),
  follow("GOAWAY without closing the connection", (about) => [goAway({ verb: "watch", ...about })]),
  follow("server down for 3 s", () => [down()], { when: "watching", seconds: 3 }),
  follow("connection reset immediately, for 3 s", (about) => [reset({ times: unlimited, ...about })], {
    seconds: 3,
  }),
  follow("events byte by byte", (about) => [slice(about)]),
  follow("two events in one chunk", (about) => [pairEvents(about)]),
  follow("event of 2 MiB", (about) => [largeEvent({ afterEvents: 1, ...about })]),
  follow("truncated event, stream ends", (about) => [truncate({ afterEvents: 1, ...about })]),
  one("write", "409, another writer was faster", (about) => [conflict(about)]),
  one("write", "409, three times", (about) => [conflict({ times: 3, ...about })]),
  follow("bare bookmarks after every event", (about) => [bookmarks(about)]),
  follow("a Status without an event around it", (about) => [bareStatus({ afterEvents: 1, ...about })]),
  follow("ERROR event with 500", (about) => [streamError({ afterEvents: 1, ...about })]),
  follow("event of an unknown type", (about) => [unknownEvent({ afterEvents: 1, ...about })]),
  follow("watch ends immediately", (about) => [closeWatch(about)]),
  follow("watches end immediately, for 3 s", (about) => [closeWatch({ times: unlimited, ...about })], {
    seconds: 3,
  }),
  follow("401 once on the watch", (about) => [unauthorizedOnce({ verb: "watch", ...about })]),
  one("list", "401 once on the list", (about) => [unauthorizedOnce({ verb: "list", ...about })]),
  follow("403 once on the watch", (about) => [permissionRevoked({ verb: "watch", ...about })]),
  follow("restored from a backup, watches end", () => [], {
    when: "watching",
    happens: (cluster) => restoreBackup(cluster, "end"),
  }),
  follow("restored from a backup, watches stay open", () => [], {
    when: "watching",
    happens: (cluster) => restoreBackup(cluster, "keep"),
  }),
  one("discover", "an API group is down", () => [groupDown({ times: unlimited })]),
  one("listNone", "items of an empty list are null", (about) => [emptyAsNull(about)]),
  one("delete", "delete answered with the object", (about) => [deleteReturns("object", about)]),
  follow("503 not ready on the watch", (about) => [notReady({ verb: "watch", ...about })]),
  one("write", "503 not ready", (about) => [notReady({ verb: ["update", "patch"], ...about })]),
  one("write", "500 etcd leader changed", (about) => [
    etcdLeaderChange({ verb: ["update", "patch"], ...about }),
  ]),
  one("write", "500 webhook timed out", (about) => [webhookTimeout(about)]),
  one("create", "403 namespace is terminating", (about) => [namespaceTerminating(about)]),
  one("execute", "output after the Status of a command", (about) => [outputAfterStatus(about)]),
  one("execute", "stream of a command ends early", (about) => [closeStream({ afterMessages: 1, ...about })]),
  one("execute", "half-open stream of a command", (about) => [freezeStream({ afterMessages: 1, ...about })]),
  one("execute", "upgrade refused once with 400", (about) => [refuseUpgrade(about)]),
  one("execute", "upgrades refused with 400", (about) => [refuseUpgrade({ times: unlimited, ...about })]),
  one("execute", "no v5.channel.k8s.io", (about) => [noV5({ times: unlimited, ...about })]),
  one("followLog", "followed log that stalls", (about) => [stallLog({ afterLines: 1, ...about })]),
  follow("responses 2 s late", (about) => [latency({ milliseconds: 2_000, times: 2, ...about })]),
];

function follow(
  title: string,
  faults: Case["faults"],
  more: Omit<Case, "title" | "task" | "faults"> = {},
): Case {
  return { title, task: "follow", faults, ...more };
}

function one(task: Task, title: string, faults: Case["faults"]): Case {
  return { title, task, faults };
}

const noSimulation = "it fails a part of a simulated cluster, which these clients do not use";

/** The failures of `kubedouble/scenarios` that no client here can encounter, and why. */
export const leftOut: { readonly [scenario: string]: string } = {
  crdNotReady: "none of the clients requests custom resources",
  delayUntilWatched: "none of the clients watches what it writes",
  drainBlocked: noSimulation,
  imageUnavailable: noSimulation,
  nodeClockSkew: noSimulation,
  nodeDown: noSimulation,
  podWebhookDown: noSimulation,
  quotaUsedUp: noSimulation,
  slowConsumer: "none of the clients stops reading",
  tokenExpired: "the clients have only the token of the kubeconfig",
};

/** Moves the revision back behind what the client has seen. */
async function restoreBackup(cluster: Cluster, watches: "end" | "keep"): Promise<void> {
  const backup = cluster.snapshot();
  for (let n = 0; n < 20; n++) {
    await cluster.patch("v1", "ConfigMap", "a", { data: { n: `lost ${n}` } });
    await cluster.patch("apps/v1", "Deployment", "web", { metadata: { labels: { lost: `${n}` } } });
  }
  cluster.restore(backup, { watches });
}
