// What breaks watches, and what the informers of @kubernetes/client-node make of it: measured, not wished for.
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

test("1. a watch that is refused with 410 is begun anew with a list", async (t) => {
  const { cluster, follow } = await surroundings(t);
  cluster.inject(watchGone({ at: "open" }));
  const follower = await follow();
  await cluster.create(configMap("c"));
  await follower.until("add c");
  assert.equal(listsOf(cluster), 2);
});

test("1. 410 in the stream does the same as soon as the stream ends", async (t) => {
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

test("1. 410 in a stream that stays open is not acted upon: the cache is frozen", async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  const gone = cluster.inject(watchGone({ close: false }));
  const follower = await follow();
  await gone.hit();
  await isFrozen(cluster, api, follower);
});

test("2. a half-open watch freezes the cache, and nobody is told", async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  const frozen = cluster.inject(freeze());
  const follower = await follow();
  await frozen.hit();
  await isFrozen(cluster, api, follower);
});

test("2. from 2.0 on the client gives up a watch that is silent for long, and goes on", {
  skip: major < 2 && "1.x waits for ever",
}, async (t) => {
  const { cluster, kubeConfig, follow } = await surroundings(t);
  cluster.inject(freeze());
  const watch = new Watch(kubeConfig);
  // Half a minute, if a test has the time.
  watch.requestTimeoutMs = 500;
  const follower = await follow({ watch });
  await cluster.delete("v1", "ConfigMap", "b");
  await follower.until("delete b");
  assert.deepEqual(follower.errors, []);
});

test("3. a delete that was missed while the client was away is told of after the next list", async (t) => {
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

test("3. who is cut off is told of what was deleted meanwhile when it has been started again", async (t) => {
  const { cluster, follow } = await surroundings(t);
  const follower = await follow();
  await follower.until("add b");
  // Its watch is open.
  await cluster.create(configMap("c"));
  await follower.until("add c");
  await whileDisconnected(cluster, () => cluster.delete("v1", "ConfigMap", "b"), { compact: true });
  await follower.until("error");
  await follower.informer.start();
  await follower.until("delete b");
  assert.deepEqual(follower.names, ["a", "c"]);
});

test("4. a server that lags behind ends the informer: 504 is an error event, and nothing follows", async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  cluster.inject(tooLargeResourceVersion({ verb: "watch" }));
  const follower = await follow();
  await follower.until("error");
  assert.equal(follower.errors[0].statusCode, 504);
  await isFrozen(cluster, api, follower);
  await restarts(follower);
});

test("6. informers ask for no streaming list, so its end cannot be missed", async (t) => {
  const { cluster, follow } = await surroundings(t);
  cluster.inject(noInitialEventsEnd());
  const follower = await follow();
  await cluster.create(configMap("c"));
  await follower.until("add c");
  const watches = cluster.requests.matching({ verb: "watch" });
  assert.deepEqual(
    watches.filter(({ target }) => target.includes("sendInitialEvents")),
    [],
  );
});

test("6. who asks for a streaming list with Watch waits for the end that does not come", async (t) => {
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
    // What comes after all that was there before: where the end should have been told of, nothing was.
    void cluster.create(configMap("c"));
  });
  assert.deepEqual(seen, ["ADDED a", "ADDED b", "ADDED c"]);
});

test("6. a server that refuses streaming lists answers 422, of which Watch hands on the code alone", async (t) => {
  const { cluster, kubeConfig } = await surroundings(t);
  cluster.inject(refuseInitialEvents());
  const error = await new Promise((resolve) => {
    void new Watch(kubeConfig).watch(path, streamingList, () => {}, resolve);
  });
  assert.equal(error.statusCode, 422);
  assert.equal(error.message, "Unprocessable Entity");
});

test("7. a watch that is throttled ends the informer; what Retry-After says is lost", async (t) => {
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

// 1.x speaks HTTP/1.1, 2.x HTTP/2. What comes behind the events that were sent before, in order, on either; a RST may overtake
// them, and then it is up to chance what a client makes of it.
const [breaks, failure, message] =
  major === 1
    ? ["a connection that is closed", goAway({ close: true, afterEvents: 1 }), "Premature close"]
    : ["a stream that is reset", reset({ of: "stream", afterEvents: 1 }), "terminated"];

test(`8. ${breaks} before its end ends the informer`, async (t) => {
  const { cluster, api, follow } = await surroundings(t);
  cluster.inject(failure);
  const follower = await follow();
  await cluster.create(configMap("c"));
  await follower.until("error");
  assert.equal(follower.errors[0].message, message);
  await isFrozen(cluster, api, follower);
  await restarts(follower);
});

test("8. watches that end at once are begun again and again: by 1.x without a pause", {
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

test("8. watches that end at once are begun again and again: by 2.x after longer and longer pauses", {
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
  ["two in one piece", pairEvents(), 900_000],
]) {
  test(`9. events that come ${title} are told of as ever`, async (t) => {
    const { cluster, follow } = await surroundings(t);
    cluster.inject(scenario);
    const follower = await follow();
    await cluster.create(configMap("c", { weather: "☂ über allem" }));
    await cluster.create(configMap("large", { text: "x".repeat(size) }));
    await follower.until("add large");
    assert.deepEqual(follower.told.slice(-2), ["add c", "add large"]);
    assert.equal(follower.informer.get("c", namespace).data.weather, "☂ über allem");
    assert.equal(follower.informer.get("large", namespace).data.text.length, size);
  });
}

test("9. an event that is cut off is dropped without a word, and comes again with the next watch", async (t) => {
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

/** The server has what the informer has not, and the informer does nothing about it. */
async function isFrozen(cluster, api, follower) {
  const before = follower.told.length;
  await cluster.create(configMap("unseen"));
  const { items } = await api.listNamespacedConfigMap({ namespace });
  assert.ok(items.some(({ metadata }) => metadata.name === "unseen"));
  assert.ok(!follower.names.includes("unseen"));
  assert.equal(follower.told.length, before);
}

/** What the library's documentation tells its users to do when there is an error, is enough. */
async function restarts(follower) {
  await follower.informer.start();
  await follower.until("add unseen");
}

function listsOf(cluster) {
  return cluster.requests.matching({ verb: "list" }).length;
}
