import { expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { Store } from "../../store/store.ts";
import { StorageEvents } from "./storage-events.ts";

const folders = [
  { prefix: "/registry/pods/", labels: "pods" },
  { prefix: "/registry/ingress/", labels: "ingresses.extensions" },
  { prefix: "/registry/ingress/", labels: "ingresses.networking.k8s.io" },
];

function emptyStore(): Store<KubeObject> {
  return new Store<KubeObject>({
    clock: new VirtualClock(0),
    historyMilliseconds: 300_000,
    historyBytes: 1e6,
    stamp: (value) => value,
    labelsOf: () => ({}),
    watchCapacity: 10,
  });
}

const object: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };

async function put(store: Store<KubeObject>, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.guaranteedUpdate(key, () => ({ type: "put", value: { ...object } }));
}

test("each event is counted once, for every resource of its folder", async () => {
  const [store, events] = [emptyStore(), new StorageEvents()];
  await put(store, "/registry/pods/default/a", "/registry/ingress/default/a", "/registry/podsets/default/a");
  const first = { pods: 1, "ingresses.extensions": 1, "ingresses.networking.k8s.io": 1 };
  expect(Object.fromEntries(events.count(store, folders))).toEqual(first);
  await put(store, "/registry/pods/default/a");
  await store.guaranteedUpdate("/registry/pods/default/a", () => ({ type: "delete" }));
  expect(Object.fromEntries(events.count(store, folders))).toEqual({ ...first, pods: 3 });
});

test("counts survive a compaction, a restore and end with a reset or their resource", async () => {
  const [store, events] = [emptyStore(), new StorageEvents()];
  const snapshot = store.snapshot();
  await put(store, "/registry/pods/default/a", "/registry/pods/default/b");
  events.count(store, folders);
  store.compact();
  expect(events.count(store, folders).get("pods")).toBe(2);
  store.restore(snapshot);
  expect(events.count(store, folders).get("pods")).toBe(2);
  await put(store, "/registry/pods/default/a");
  expect(events.count(store, folders).get("pods")).toBe(3);
  events.count(store, []);
  expect(events.count(store, folders).size).toBe(0);
  await put(store, "/registry/pods/default/a");
  expect(events.count(store, folders).size).toBe(1);
  await put(store, "/registry/pods/default/a");
  events.reset(store);
  expect(events.count(store, folders).size).toBe(0);
});

test("counting leaves no watch behind", () => {
  const steps: string[] = [];
  const watch = () => {
    steps.push("open");
    return { drain: () => [], close: () => steps.push("close") };
  };
  const store = { revision: 1, compactRevision: 0, watch } as unknown as Store<KubeObject>; // Nothing else is read.
  new StorageEvents().count(store, folders);
  expect(steps).toEqual(["open", "close"]);
});
