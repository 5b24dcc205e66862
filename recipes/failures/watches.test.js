// Failures that break watches, and how the informers of @kubernetes/client-node really react.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Watch } from "@kubernetes/client-node";
import {
  closeWatch,
  freeze,
  goAway,
  latency,
  noInitialEventsEnd,
  pairEvents,
  refuseInitialEvents,
  reset,
  slice,
  throttle,
  tooLargeResourceVersion,
  truncate,
  watchGone,
  whileDisconnected,
} from "kubedouble/scenarios";
import { configMap, major, namespace, path, surroundings } from "./surroundings.js";

test("1. an informer whose watch is refused with 410 lists again", async (t) => {
  const { cluster, follow } = await surroundings(t);
  cluster.inject(watchGone({ at: "open" }));
  const follower = await follow();
  await cluster.create(configMap("c"));
  await follower.until("add c");
  assert.equal(listsOf(cluster), 2);
});

test("1. an informer that receives 410 in the stream lists again as soon as the stream ends", async (t) => {
  const { cluster, follow } = await surroundings(t);
  cluster.inject(watchGone({ afterEvents: 1 }));
  const follower = await follow();
  await cluster.create(configMap("c"));
  await follower.until("connect", 2);
  await cluster.create(configMap("d"));
  await follower.until("add d");
  assert.deepEqual(follower.errors, []);
  assert.equal(listsOf(cluster), 2);
});

test("1. an informer ignores 410 in a stream that stays open, and its cache is frozen", async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  const gone = cluster.inject(watchGone({ close: false }));
  const follower = await follow();
  await gone.hit();
  await isFrozen(cluster, api, follower);
});

test("2. a half-open watch freezes the cache without an error", async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  const frozen = cluster.inject(freeze());
  const follower = await follow();
  await frozen.hit();
  await isFrozen(cluster, api, follower);
});

test("2. since 2.0 the client replaces a watch that has been silent for too long", {
  skip: major < 2 && "1.x waits forever",
}, async (t) => {
  const { cluster, kubeConfig, follow } = await surroundings(t);
  cluster.inject(freeze());
  const watch = new Watch(kubeConfig);
  // The default of half a minute is too long for a test.
  watch.requestTimeoutMs = 500;
  const follower = await follow({ watch });
  await cluster.delete("v1", "ConfigMap", "b");
  await follower.until("delete b");
  assert.deepEqual(follower.errors, []);
});

test("3. the next list reports a delete that the client missed while it was disconnected", async (t) => {
  const { cluster, follow } = await surroundings(t);
  cluster.inject(closeWatch());
  const back = cluster.inject(latency({ verb: "watch", milliseconds: 60_000 }));
  const follower = await follow();
  await back.hit();
  await cluster.delete("v1", "ConfigMap", "b");
  cluster.compact();
  await cluster.clock.advance("1m");
  await follower.until("delete b");
  assert.deepEqual(follower.names, ["a"]);
  assert.equal(listsOf(cluster), 2);
});

test("3. a client that was cut off learns about deletes when it is restarted", async (t) => {
  const { cluster, follow } = await surroundings(t);
  const follower = await follow();
  await follower.until("add b");
  // The watch is open.
  await cluster.create(configMap("c"));
  await follower.until("add c");
  await whileDisconnected(cluster, () => cluster.delete("v1", "ConfigMap", "b"), { compact: true });
  await follower.until("error");
  await follower.informer.start();
  await follower.until("delete b");
  assert.deepEqual(follower.names, ["a", "c"]);
});

test("4. a lagging server stops the informer: 504 is an error event, and nothing follows", async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  cluster.inject(tooLargeResourceVersion({ verb: "watch" }));
  const follower = await follow();
  await follower.until("error");
  assert.equal(follower.errors[0].statusCode, 504);
  await isFrozen(cluster, api, follower);
  await restarts(follower);
});

test("6. informers request no streaming list, so they cannot miss its end", async (t) => {
  const { cluster, follow } = await surroundings(t);
  const follower = await follow();
  await cluster.create(configMap("c"));
  await follower.until("add c");
  const watches = cluster.requests.matching({ verb: "watch" });
  assert.deepEqual(
    watches.filter(({ target }) => target.includes("sendInitialEvents")),
    [],
  );
});

test("6. a client that requests a streaming list with Watch waits for an end that does not come", async (t) => {
  const { cluster, kubeConfig } = await surroundings(t);
  cluster.inject(noInitialEventsEnd());
  const seen = [];
  await new Promise((resolve, reject) => {
    const onEvent = (type, { metadata }) => {
      seen.push(`${type} ${metadata.name ?? ""}`);
      if (metadata.name === "c") resolve();
    };
    const watching = new Watch(kubeConfig).watch(path, streamingList, onEvent, reject);
    watching.then((request) => t.after(() => request.abort())).catch(reject);
    // This comes after all initial events, but nothing has reported their end.
    void cluster.create(configMap("c"));
  });
  assert.deepEqual(seen, ["ADDED a", "ADDED b", "ADDED c"]);
});

test("6. a server that refuses streaming lists answers 422, and Watch passes on only the code", async (t) => {
  const { cluster, kubeConfig } = await surroundings(t);
  cluster.inject(refuseInitialEvents());
  const error = await new Promise((resolve) => {
    void new Watch(kubeConfig).watch(path, streamingList, () => {}, resolve);
  });
  assert.equal(error.statusCode, 422);
  assert.equal(error.message, "Unprocessable Entity");
});

test("7. a throttled watch stops the informer, and Retry-After is lost", async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  cluster.inject(throttle({ verb: "watch", retryAfter: 1 }));
  const follower = await follow();
  await follower.until("error");
  const [error] = follower.errors;
  assert.equal(error.statusCode, 429);
  assert.equal(error.headers, undefined);
  await isFrozen(cluster, api, follower);
  await restarts(follower);
});

// 1.x uses HTTP/1.1, 2.x uses HTTP/2. On both, these failures arrive in order, after the events that were sent before them.
// A RST may overtake the events, so the reaction of a client would depend on chance.
const [breaks, failure, message] =
  major === 1
    ? ["a closed connection", goAway({ close: true, afterEvents: 1 }), "Premature close"]
    : ["a reset stream", reset({ of: "stream", afterEvents: 1 }), "terminated"];

test(`8. ${breaks} stops the informer`, async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  cluster.inject(failure);
  const follower = await follow();
  await cluster.create(configMap("c"));
  await follower.until("error");
  assert.equal(follower.errors[0].message, message);
  await isFrozen(cluster, api, follower);
  await restarts(follower);
});

test("8. client-node 1.x reopens watches that end immediately without a pause", {
  skip: major > 1 && "2.x pauses",
}, async (t) => {
  const { cluster, follow } = await surroundings(t);
  const closed = cluster.inject(closeWatch({ times: 100 }));
  const follower = await follow();
  await closed.hit(100);
  await cluster.create(configMap("c"));
  await follower.until("add c");
  assert.equal(listsOf(cluster), 1);
});

test("8. client-node 2.x reopens watches that end immediately after increasing pauses", {
  skip: major < 2 && "1.x does not pause",
}, async (t) => {
  const { cluster, follow } = await surroundings(t);
  cluster.inject(closeWatch({ times: 7 }));
  const pauses = [];
  const follower = await follow({ delayFn: async (milliseconds) => void pauses.push(milliseconds) });
  await cluster.create(configMap("c"));
  await follower.until("add c");
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16000, 30000]);
});

for (const [title, scenario, size] of [
  ["byte by byte", slice({ bytes: 1 }), 1_000],
  ["in pairs", pairEvents(), 900_000],
]) {
  test(`9. events that arrive ${title} are reported as usual`, async (t) => {
    const { cluster, follow } = await surroundings(t);
    cluster.inject(scenario);
    const follower = await follow();
    await cluster.create(configMap("c", { weather: "☂ über allem" }));
    await cluster.create(configMap("large", { text: "x".repeat(size) }));
    await follower.until("add large");
    assert.deepEqual(follower.events.slice(-2), ["add c", "add large"]);
    assert.equal(follower.informer.get("c", namespace).data.weather, "☂ über allem");
    assert.equal(follower.informer.get("large", namespace).data.text.length, size);
  });
}

test("9. a truncated event is dropped without an error, and the next watch delivers it", async (t) => {
  const { cluster, follow } = await surroundings(t);
  cluster.inject(truncate());
  const follower = await follow();
  await cluster.create(configMap("c"));
  await follower.until("add c");
  assert.deepEqual(follower.errors, []);
  assert.equal(listsOf(cluster), 1);
});

const streamingList = {
  sendInitialEvents: "true",
  resourceVersionMatch: "NotOlderThan",
  allowWatchBookmarks: "true",
};

/** The server has an object that the informer has not, and the informer does nothing about it. */
async function isFrozen(cluster, api, follower) {
  const before = follower.events.length;
  await cluster.create(configMap("unseen"));
  const { items } = await api.listNamespacedConfigMap({ namespace });
  assert.ok(items.some(({ metadata }) => metadata.name === "unseen"));
  assert.ok(!follower.names.includes("unseen"));
  assert.equal(follower.events.length, before);
}

/** It is enough to do what the library's documentation recommends after an error. */
async function restarts(follower) {
  await follower.informer.start();
  await follower.until("add unseen");
}

function listsOf(cluster) {
  return cluster.requests.matching({ verb: "list" }).length;
}
