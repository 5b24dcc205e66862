import * as presets from "../../src/scenario/presets.ts";
import { configMaps, type FailureWorld, type Watching } from "./failure-world.ts";

/** The transports, in the order of the table. */
export const transports = [
  "fetch",
  "MSW 2",
  "MSW 3",
  "nock 14",
  "nock 15",
  "undici",
  "HTTP/1.1",
  "HTTP/2",
] as const;
export type Transport = (typeof transports)[number];

/** Every failure that a test can inject: the exports of `kubedouble/scenarios` that create a scenario. */
export type FailureName = Exclude<keyof typeof presets, "whileDisconnected">;

/** A failure as clients see it. */
export interface Failure {
  /** The description in the table. */
  readonly what: string;
  /** Injects the failure, sends requests, and returns what the client saw. */
  readonly meet: (world: FailureWorld) => Promise<readonly string[]>;
  /** What a client of kube-apiserver would see. */
  readonly expected: readonly string[];
  /** What a client sees if a library between reads the response to its end at once. Default: the same. */
  readonly buffered?: readonly string[];
  /** The sentence in its doc comment about transports. Default: faithful on every transport. */
  readonly faithful?: string;
  /** The cells of the table. Default: `yes`. */
  readonly cells?: { readonly [transport in Transport]?: string };
}

const watchBegin = ["ADDED a", "ADDED b", "ADDED c"];
const streaming = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
const create = (name: string) => ({
  method: "POST",
  headers: [["content-type", "application/json"]] as const,
  body: Buffer.from(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } })),
});
const patch = {
  method: "PATCH",
  headers: [["content-type", "application/merge-patch+json"]] as const,
  body: Buffer.from('{"data":{"changed":"yes"}}'),
};

/** A request that fails, and the same request again. */
function requesting(
  scenario: () => presets.Scenario,
  path: string,
  sent: Parameters<FailureWorld["ask"]>[1] = {},
): Failure["meet"] {
  return async (world) => {
    world.inject(scenario());
    return [await world.ask(path, sent), await world.ask(path, sent)];
  };
}

/** A watch from the beginning: `events` of its events, and the next one after an object is created. */
function watching(
  scenario: () => presets.Scenario,
  events: number,
  query = "resourceVersion=0",
): Failure["meet"] {
  return async (world) => {
    world.inject(scenario());
    const watch = await world.watch(query);
    if (watch.status !== 200) return [String(watch.status)];
    return [...(await take(watch, events)), await nextIfAny(world, watch)];
  };
}

async function take(watch: Watching, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let n = 0; n < count; n++) seen.push(await watch.next());
  return seen;
}

/** The event of an object that is created now; `silent` if none arrives. */
async function nextIfAny(world: FailureWorld, watch: Watching): Promise<string> {
  const next = watch.next();
  await world.create("late");
  await world.eventsHaveCome();
  return Promise.race([next, Promise.resolve("silent")]);
}

async function ofPieces(
  { inject, watch }: Pick<FailureWorld, "inject" | "watch">,
  scenario: presets.Scenario,
  measure: (text: string) => number,
): Promise<readonly string[]> {
  inject(scenario);
  const struck = await watch("resourceVersion=0");
  const measures = new Set<number>();
  let text = "";
  while (text.split("\n").length < 3) {
    const piece = Buffer.from((await struck.piece()) ?? "").toString("latin1");
    measures.add(measure(piece));
    text += piece;
  }
  return [...measures].map(String);
}

/** Every failure, as a client sees it through any transport. */
export const failures: { readonly [name in FailureName]: Failure } = {
  bareStatus: {
    what: "a Status in a watch without an event around it",
    meet: watching(() => presets.bareStatus({ afterEvents: 1 }), 4),
    expected: ["ADDED a", "Status", "ADDED b", "ADDED c", "ADDED late"],
  },
  bookmarks: {
    what: "early and frequent bookmarks with bare objects",
    meet: watching(() => presets.bookmarks({ every: 2 }), 4),
    expected: ["ADDED a", "ADDED b", "BOOKMARK", "ADDED c", "ADDED late"],
  },
  closeWatch: {
    what: "a watch ends cleanly at an unexpected moment",
    meet: watching(() => presets.closeWatch({ afterEvents: 1 }), 1),
    expected: ["ADDED a", "ended"],
  },
  conflict: {
    what: "409: another writer changes the object between read and write",
    meet: async (world) => {
      const path = `${configMaps}/a`;
      const object = await world.read<object>(path);
      world.inject(presets.conflict());
      const body = Buffer.from(JSON.stringify(object));
      const put = { method: "PUT", headers: [["content-type", "application/json"]] as const, body };
      return [await world.ask(path, put)];
    },
    expected: ["409 Conflict"],
  },
  continueExpired: {
    what: "410: the continue token of a list has expired",
    meet: async (world) => {
      world.inject(presets.continueExpired());
      const { metadata } = await world.read<{ metadata: { continue: string } }>(`${configMaps}?limit=1`);
      return [await world.ask(`${configMaps}?limit=1&continue=${metadata.continue}`)];
    },
    expected: ["410 Expired"],
  },
  crdNotReady: {
    what: "404: a custom resource is not served yet",
    meet: requesting(() => presets.crdNotReady({ group: "batch", version: "v1" }), "/apis/batch/v1/jobs"),
    expected: ["404 404 page not found", "200 JobList"],
  },
  delayUntilWatched: {
    what: "the response to a write arrives after its own watch event",
    meet: async (world) => {
      const watch = await world.watch("resourceVersion=0");
      await take(watch, 3);
      const fault = world.inject(presets.delayUntilWatched());
      const order: string[] = [];
      const answered = world.ask(`${configMaps}/a`, patch).then((answer) => order.push(answer));
      await fault.hit();
      order.push(await watch.next());
      void watch.next();
      await answered;
      return order;
    },
    expected: ["MODIFIED a", "200 ConfigMap"],
  },
  deleteReturns: {
    what: "a delete returns a Status, or the object",
    meet: async (world) => {
      world.inject(presets.deleteReturns("object"));
      return [await world.ask(`${configMaps}/a`, { method: "DELETE" })];
    },
    expected: ["200 ConfigMap"],
  },
  disconnected: {
    what: "clients are cut off while others write (`whileDisconnected`)",
    meet: async (world) => {
      const watch = await world.watch("resourceVersion=0");
      await take(watch, 3);
      const during: string[] = [];
      const work = async () => void during.push(await watch.next(), await world.ask(configMaps));
      await presets.whileDisconnected(world, work);
      return [...during, await world.ask(configMaps)];
    },
    expected: ["broken", "failed", "200 ConfigMapList"],
  },
  doubledInitialEventsEnd: {
    what: "a watch reports the end of its initial events twice",
    meet: watching(presets.doubledInitialEventsEnd, 5, streaming),
    expected: [...watchBegin, "INITIAL END", "INITIAL END", "ADDED late"],
  },
  down: {
    what: "the server is down for a while",
    meet: async (world) => {
      const watch = await world.watch("resourceVersion=0");
      await take(watch, 3);
      const fault = world.inject(presets.down());
      const during = [await watch.next(), await world.ask(configMaps)];
      fault.remove();
      await world.create("late");
      const again = await world.watch("resourceVersion=0", configMaps, true);
      return [...during, await again.next()];
    },
    expected: ["broken", "failed", "ADDED a"],
    cells: { "HTTP/1.1": "closed port", "HTTP/2": "closed port" },
  },
  emptyAsNull: {
    what: "empty lists and maps are null",
    meet: async (world) => {
      world.inject(presets.emptyAsNull());
      const { items } = await world.read<{ items: unknown }>("/api/v1/namespaces/nowhere/configmaps");
      return [String(items)];
    },
    expected: ["null"],
  },
  etcdLeaderChange: {
    what: "500: etcd currently has no leader",
    meet: requesting(presets.etcdLeaderChange, configMaps),
    expected: ["500 etcdserver: leader changed", "200 ConfigMapList"],
  },
  freeze: {
    what: "a half-open connection: nothing arrives, and nothing ends",
    meet: watching(() => presets.freeze({ afterEvents: 1 }), 1),
    expected: ["ADDED a", "silent"],
    cells: {
      "HTTP/1.1": "yes, the server reads nothing",
      "HTTP/2": "yes, and it answers no pings",
    },
  },
  goAway: {
    what: "the server asks the client to open another connection",
    meet: async (world) => {
      world.inject(presets.goAway());
      const watch = await world.watch("resourceVersion=0&timeoutSeconds=1");
      return [...(await take(watch, 4)), watch.isSentAway ? "sent away" : "not sent away"];
    },
    expected: [...watchBegin, "ended", "sent away"],
    faithful: "Faithful on a port; in process there is no connection, so clients see only the header.",
    cells: {
      ...Object.fromEntries(transports.map((transport) => [transport, "header"])),
      "HTTP/1.1": "`Connection: close`",
      "HTTP/2": "GOAWAY",
    },
  },
  groupDown: {
    what: "503: the server behind an aggregated API is down",
    meet: requesting(() => presets.groupDown({ group: "batch", version: "v1" }), "/apis/batch/v1/jobs"),
    expected: ["503 service unavailable", "200 JobList"],
  },
  laggingReplica: {
    what: "a replica stops updating and catches up later",
    meet: async (world) => {
      const fault = world.inject(presets.laggingReplica({ resource: "configmaps" }));
      const watch = await world.watch("resourceVersion=0");
      const seen = [...(await take(watch, 3)), await nextIfAny(world, watch)];
      fault.remove();
      return seen;
    },
    expected: [...watchBegin, "silent"],
  },
  largeEvent: {
    what: "a large event, 2 MiB by default",
    meet: watching(() => presets.largeEvent({ afterEvents: 1 }), 3),
    expected: [...watchBegin, "ADDED late"],
  },
  lateInitialEventsEnd: {
    what: "a watch reports the end of its initial events late",
    meet: async (world) => {
      world.inject(presets.lateInitialEventsEnd());
      const watch = await world.watch(streaming);
      return [...(await take(watch, 3)), await nextIfAny(world, watch), await watch.next()];
    },
    expected: [...watchBegin, "ADDED late", "INITIAL END"],
  },
  latency: {
    what: "responses are late",
    meet: requesting(() => presets.latency({ milliseconds: 1 }), configMaps),
    expected: ["200 ConfigMapList", "200 ConfigMapList"],
  },
  namespaceTerminating: {
    what: "403: the namespace is terminating",
    meet: requesting(presets.namespaceTerminating, configMaps, create("d")),
    expected: ["403 Forbidden", "201 ConfigMap"],
  },
  noInitialEventsEnd: {
    what: "a watch never reports the end of its initial events",
    meet: watching(presets.noInitialEventsEnd, 3, streaming),
    expected: [...watchBegin, "ADDED late"],
  },
  notReady: {
    what: "503: the server is not ready",
    meet: requesting(presets.notReady, configMaps),
    expected: ["503 ServiceUnavailable", "200 ConfigMapList"],
  },
  pairEvents: {
    what: "two events arrive in one chunk",
    meet: (world) => ofPieces(bound(world), presets.pairEvents(), (text) => text.split("\n").length - 1),
    expected: ["2"],
  },
  permissionRevoked: {
    what: "403: a permission has been revoked",
    meet: requesting(presets.permissionRevoked, configMaps),
    expected: ["403 Forbidden", "200 ConfigMapList"],
  },
  refuseInitialEvents: {
    what: "422: the server does not support `sendInitialEvents`",
    meet: watching(presets.refuseInitialEvents, 0, streaming),
    expected: ["422"],
  },
  reset: {
    what: "the connection is reset after some events or bytes",
    meet: async (world) => {
      world.inject(presets.reset({ afterEvents: 1 }));
      return take(await world.watch("resourceVersion=0"), 2);
    },
    expected: ["ADDED a", "broken"],
    faithful:
      "Faithful on every transport: a RST on a port, elsewhere the error that clients report for one.",
    cells: { "HTTP/1.1": "RST", "HTTP/2": "RST or RST_STREAM" },
  },
  slice: {
    what: "a response arrives in chunks of a few bytes",
    meet: (world) => ofPieces(bound(world), presets.slice(), ({ length }) => length),
    expected: ["1"],
  },
  slowConsumer: {
    what: "a client that does not read in time loses its watch",
    meet: async (world) => {
      world.inject(presets.slowConsumer());
      const watch = await world.watch("resourceVersion=0");
      const events = [await watch.next()];
      // More than the buffers of a connection hold.
      const text = "x".repeat(900_000);
      for (let n = 0; n < 12; n++) await world.create(`large-${n}`, { text });
      await world.eventsHaveCome();
      while (!["ended", "ADDED large-11"].includes(events.at(-1) ?? "")) events.push(await watch.next());
      return [events.at(-1) === "ended" ? "events are missing" : "all events"];
    },
    expected: ["events are missing"],
    buffered: ["all events"],
    cells: {
      fetch: "yes",
      undici: "yes",
      "MSW 2": "unless MSW buffers",
      "MSW 3": "unless MSW buffers",
      "nock 14": "unless nock buffers",
      "nock 15": "unless nock buffers",
      "HTTP/1.1": "after the buffers are full",
      "HTTP/2": "after the buffers are full",
    },
  },
  staleRead: {
    what: "a read returns an older state",
    meet: async (world) => {
      world.inject(presets.staleRead());
      const path = `${configMaps}/c?resourceVersion=0`;
      return [await world.ask(path), await world.ask(path)];
    },
    expected: ["404 NotFound", "200 ConfigMap"],
  },
  storageInitializing: {
    what: "429: the watch cache is still initializing",
    meet: requesting(presets.storageInitializing, configMaps),
    expected: ["429 TooManyRequests", "200 ConfigMapList"],
  },
  streamError: {
    what: "an ERROR event with the code 500 or 429",
    meet: watching(() => presets.streamError({ afterEvents: 1 }), 2),
    expected: ["ADDED a", "ERROR 500", "ended"],
  },
  throttle: {
    what: "429, with and without Retry-After",
    meet: requesting(presets.throttle, configMaps),
    expected: ["429 TooManyRequests", "200 ConfigMapList"],
  },
  tokenExpired: {
    what: "401 until the client has another token",
    meet: async (world) => {
      world.inject(presets.tokenExpired());
      const before = [await world.ask(configMaps), await world.ask(configMaps)];
      world.renewToken();
      return [...before, await world.ask(configMaps)];
    },
    expected: ["401 Unauthorized", "401 Unauthorized", "200 ConfigMapList"],
  },
  tooLargeResourceVersion: {
    what: "504: the client requests a revision that the server has not reached",
    meet: requesting(presets.tooLargeResourceVersion, configMaps),
    expected: ["504 Timeout", "200 ConfigMapList"],
  },
  truncate: {
    what: "a response ends in the middle without an error",
    meet: watching(() => presets.truncate({ afterEvents: 1 }), 1),
    expected: ["ADDED a", "ended within an event"],
  },
  unauthorizedOnce: {
    what: "401, although the credentials are valid",
    meet: requesting(presets.unauthorizedOnce, configMaps),
    expected: ["401 Unauthorized", "200 ConfigMapList"],
  },
  unknownEvent: {
    what: "an event of an unknown type",
    meet: watching(presets.unknownEvent, 4),
    expected: ["FUTURE", ...watchBegin, "ADDED late"],
  },
  watchGone: {
    what: "410 as a status or as an event, and the watch ends or stays open",
    meet: watching(() => presets.watchGone({ afterEvents: 1, close: false }), 2),
    expected: ["ADDED a", "ERROR 410", "silent"],
  },
  webhookTimeout: {
    what: "500: an admission webhook did not answer in time",
    meet: requesting(presets.webhookTimeout, configMaps, create("d")),
    expected: ["500 InternalError", "201 ConfigMap"],
  },
};

/** The methods of a world, bound to it. */
function bound(world: FailureWorld): Pick<FailureWorld, "inject" | "watch"> {
  return { inject: (scenario) => world.inject(scenario), watch: (query) => world.watch(query) };
}
