import { expect, test } from "vitest";
import { turn, VirtualClock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { Store } from "../store/store.ts";
import type { Controller } from "./contract/controller.ts";
import { ControllerManager } from "./controller-manager.ts";

const start = "2026-01-01T00:00:00Z";
const minute = 60_000;

function emptyStore(clock: VirtualClock): Store<KubeObject> {
  const limits = { historyMilliseconds: minute, historyBytes: 1e6, watchCapacity: 100 };
  return new Store({ ...limits, clock, stamp: (object) => object, labelsOf: () => ({}) });
}

async function put(store: Store<KubeObject>, name: string, kind = "Thing"): Promise<void> {
  const value: KubeObject = { apiVersion: "v1", kind, metadata: { name } };
  await store.guaranteedUpdate(`/registry/things/${name}`, () => ({ type: "put", value }));
}

/** Notes what it observes and reconciles. */
interface Watcher {
  readonly observed: string[];
  readonly reconciled: string[];
  readonly manager: ControllerManager;
}

function watcher(
  store: Store<KubeObject>,
  clock: VirtualClock,
  { reconcile, kinds }: { reconcile?: (key: string) => Promise<number | undefined>; kinds?: string[] } = {},
): Watcher {
  const observed: string[] = [];
  const reconciled: string[] = [];
  const controller: Controller = {
    name: "watcher",
    ...(kinds && { kinds }),
    observe: ({ type, object, isFound }) => {
      observed.push(`${isFound ? "found" : type} ${object.metadata.name}`);
      return [object.metadata.name ?? ""];
    },
    reconcile: async (key) => {
      reconciled.push(key);
      return reconcile?.(key);
    },
  };
  const served = { onChange: () => () => {} };
  const manager = new ControllerManager({ store, clock, controllers: () => [controller], served });
  return { observed, reconciled, manager };
}

test("controllers of a fork go on without seeing again what those of the origin have seen", async () => {
  const clock = new VirtualClock(start);
  const store = emptyStore(clock);
  await put(store, "a");
  const origin = watcher(store, clock);
  origin.manager.start();
  await origin.manager.settle();
  // The store commits at once; the origin is called back later.
  const written = put(store, "b");
  const fork = watcher(store.fork(), clock);
  fork.manager.start(origin.manager.progress());
  await written;
  await fork.manager.settle();
  expect([origin.observed, fork.observed]).toEqual([["found a", "put b"], []]);
  // The origin had not come to `b` yet.
  expect(fork.reconciled).toEqual(["b"]);
});

test("what is being reconciled is left to do in a fork, and delays go on", async () => {
  const clock = new VirtualClock(start);
  const store = emptyStore(clock);
  let finish: () => void = () => {};
  const origin = watcher(store, clock, {
    reconcile: (key) =>
      key === "slow"
        ? new Promise((resolve) => {
            finish = () => resolve(undefined);
          })
        : Promise.resolve(key === "later" ? minute : undefined),
  });
  origin.manager.start();
  await put(store, "later");
  await origin.manager.settle();
  await clock.advance(minute / 2);
  await put(store, "slow");
  const settled = origin.manager.settle();
  const ownClock = clock.fork();
  const fork = watcher(store.fork(), ownClock);
  fork.manager.start(origin.manager.progress());
  await fork.manager.settle();
  expect(fork.reconciled).toEqual(["slow"]);
  await ownClock.advance(minute / 2);
  await fork.manager.settle();
  expect(fork.reconciled).toEqual(["slow", "later"]);
  finish();
  await settled;
});

test("the time waits for what is being reconciled, but not once the manager has stopped", async () => {
  const clock = new VirtualClock(start);
  const store = emptyStore(clock);
  const began = clock.now();
  const times: number[] = [];
  const { manager } = watcher(store, clock, {
    reconcile: async (key) => {
      if (key === "endless") return new Promise(() => {});
      for (let turns = 0; turns < 3; turns++) await turn();
      times.push(clock.now() - began);
      return minute;
    },
  });
  manager.start();
  await put(store, "a");
  await clock.advance(3 * minute);
  expect(times).toEqual([0, minute, 2 * minute, 3 * minute]);
  await put(store, "endless");
  const advanced = clock.advance(minute);
  await turn();
  manager.stop();
  await advanced;
  expect(clock.now() - began).toBe(4 * minute);
});

test("a failed key keeps its delay in a fork", async () => {
  const clock = new VirtualClock(start);
  const store = emptyStore(clock);
  const origin = watcher(store, clock, { reconcile: () => Promise.reject(new Error("not yet")) });
  origin.manager.start();
  await put(store, "a");
  await origin.manager.settle();
  const progress = origin.manager.progress();
  expect(progress?.queue).toMatchObject([{ due: clock.now() + 5, failures: 1 }]);
  const fork = watcher(store.fork(), clock);
  fork.manager.start(progress);
  await fork.manager.settle();
  expect(fork.reconciled).toEqual([]);
  await clock.advance(5);
  await fork.manager.settle();
  expect(fork.reconciled).toEqual(["a"]);
});

test("a restored manager forgets its work and goes on with that of the state", async () => {
  const clock = new VirtualClock(start);
  const store = emptyStore(clock);
  const one = watcher(store, clock, {
    reconcile: (key) => Promise.resolve(key === "b" ? minute : undefined),
  });
  one.manager.start();
  await put(store, "a");
  await one.manager.settle();
  const [snapshot, progress] = [store.snapshot(), one.manager.progress()];
  await put(store, "b");
  await one.manager.settle();
  store.restore(snapshot);
  if (progress !== undefined) one.manager.restore(progress);
  await clock.advance(minute);
  await put(store, "c");
  await one.manager.settle();
  expect(one.observed).toEqual(["put a", "put b", "put c"]);
  expect(one.reconciled).toEqual(["a", "b", "c"]);
});

test("a controller that names kinds observes objects of these alone", async () => {
  const clock = new VirtualClock(start);
  const store = emptyStore(clock);
  await put(store, "a", "Other");
  await put(store, "b");
  const { manager, observed } = watcher(store, clock, { kinds: ["Thing"] });
  manager.start();
  await put(store, "c", "Other");
  await put(store, "d");
  await manager.settle();
  expect(observed).toEqual(["found b", "put d"]);
});

test("a manager that has not started or has stopped has no progress", () => {
  const clock = new VirtualClock(start);
  const { manager } = watcher(emptyStore(clock), clock);
  expect(manager.progress()).toBeUndefined();
  manager.start();
  manager.stop();
  expect(manager.progress()).toBeUndefined();
});
