import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const minute = 60_000;

const older: JsonObject = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "started" },
  involvedObject: { kind: "Pod", name: "web", namespace: "default" },
  reason: "Started",
  type: "Normal",
};

const newer: JsonObject = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name: "started" },
  regarding: { kind: "Pod", name: "web", namespace: "default" },
  reason: "Started",
  type: "Normal",
  action: "Start",
  eventTime: "2026-01-01T00:00:00.000000Z",
  reportingController: "x.io/robot",
  reportingInstance: "robot-1",
};

async function eventNames(cluster: Cluster): Promise<readonly (string | undefined)[]> {
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  return items.map(({ metadata }) => metadata.name);
}

/** Advances the time, and waits for the controllers. */
async function pass(cluster: Cluster, clock: VirtualClock, milliseconds: number): Promise<void> {
  await cluster.settle();
  await clock.advance(milliseconds);
  await cluster.settle();
}

describe("an Event", () => {
  test.each([
    ["of the core group", older],
    ["of events.k8s.io", newer],
  ])("%s expires an hour after its creation", async (_title, event) => {
    const clock = new VirtualClock(start);
    await using cluster = createCluster({ clock });
    await cluster.create(event);
    await pass(cluster, clock, 60 * minute - 1);
    expect(await eventNames(cluster)).toEqual(["started"]);
    await pass(cluster, clock, 1);
    expect(await eventNames(cluster)).toEqual([]);
  });

  test("is kept for an hour after its last change", async () => {
    const clock = new VirtualClock(start);
    await using cluster = createCluster({ clock });
    await cluster.create(older);
    await pass(cluster, clock, 50 * minute);
    await cluster.patch("v1", "Event", "started", { count: 2 });
    await pass(cluster, clock, 60 * minute - 1);
    expect(await eventNames(cluster)).toEqual(["started"]);
    await pass(cluster, clock, 1);
    expect(await eventNames(cluster)).toEqual([]);
  });

  test("that is recreated with the same name has its own hour", async () => {
    const clock = new VirtualClock(start);
    await using cluster = createCluster({ clock });
    await cluster.create(older);
    await pass(cluster, clock, 50 * minute);
    await cluster.delete("v1", "Event", "started");
    await cluster.create(older);
    await pass(cluster, clock, 60 * minute - 1);
    expect(await eventNames(cluster)).toEqual(["started"]);
    await pass(cluster, clock, 1);
    expect(await eventNames(cluster)).toEqual([]);
  });

  test("sends DELETED to watches, and no other object is deleted", async () => {
    const clock = new VirtualClock(start);
    await using cluster = createCluster({ clock });
    await cluster.create(older);
    await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "kept" } });
    await pass(cluster, clock, 60 * minute - 1);
    const { metadata } = await cluster.list("v1", "Event");
    const query = `watch=true&resourceVersion=${metadata["resourceVersion"]}&timeoutSeconds=10`;
    const watch = await cluster.fetch(`https://cluster.test/api/v1/events?${query}`, {
      headers: { authorization: `Bearer ${cluster.adminToken()}` },
    });
    const ended = watch.text();
    await pass(cluster, clock, 1);
    await pass(cluster, clock, 10_000);
    const seen = (await ended)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(seen.map(({ type, object }) => [type, object.metadata.name])).toEqual([["DELETED", "started"]]);
    await cluster.get("v1", "ConfigMap", "kept");
  });

  test("expires even if it has finalizers", async () => {
    const clock = new VirtualClock(start);
    await using cluster = createCluster({ clock });
    await cluster.create({ ...older, metadata: { name: "started", finalizers: ["example.com/mine"] } });
    await pass(cluster, clock, 60 * minute);
    expect(await eventNames(cluster)).toEqual([]);
  });

  test("keeps its remaining time in a fork and in a restored state", async () => {
    const clock = new VirtualClock(start);
    await using cluster = createCluster({ clock });
    await cluster.create(older);
    await pass(cluster, clock, 20 * minute);
    await cluster.patch("v1", "Event", "started", { count: 2 });
    await pass(cluster, clock, 30 * minute);
    const snapshot = cluster.snapshot();
    await using fork = cluster.fork();
    cluster.restore(snapshot);
    for (const each of [cluster, fork]) {
      await each.settle();
      await each.clock.advance(30 * minute - 1);
      await each.settle();
      expect(await eventNames(each)).toEqual(["started"]);
      await each.clock.advance(1);
      await each.settle();
      expect(await eventNames(each)).toEqual([]);
    }
  });

  test.each([
    ["initial objects", undefined],
    ["a load", "load"],
  ])(
    "from another cluster, with old times, has its hour from its load in forks and restored states: %s",
    async (_title, how) => {
      const clock = new VirtualClock(start);
      const dumped = {
        ...older,
        metadata: {
          name: "started",
          uid: "u-1",
          resourceVersion: "7",
          creationTimestamp: "2020-01-01T00:00:00Z",
        },
      };
      await using cluster = createCluster({ clock, objects: how === undefined ? [dumped] : [] });
      if (how === "load") await cluster.load(dumped);
      await pass(cluster, clock, 20 * minute);
      const snapshot = cluster.snapshot();
      await using fork = cluster.fork();
      cluster.restore(snapshot);
      for (const each of [cluster, fork]) {
        await each.settle();
        await each.clock.advance(40 * minute - 1);
        await each.settle();
        expect(await eventNames(each)).toEqual(["started"]);
        await each.clock.advance(1);
        await each.settle();
        expect(await eventNames(each)).toEqual([]);
      }
    },
  );

  test("stays if the controller is disabled", async () => {
    const clock = new VirtualClock(start);
    await using cluster = createCluster({ clock, controllers: ["*", "-event-expiry"] });
    await cluster.create(older);
    await pass(cluster, clock, 24 * 60 * minute);
    expect(await eventNames(cluster)).toEqual(["started"]);
  });
});
