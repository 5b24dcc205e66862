import { expect, test } from "vitest";
import { toyKinds, widgets } from "../../test/cluster/toy-kinds.ts";
import { VirtualClock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { Store } from "../store/store.ts";
import { ApiView } from "./api-view.ts";
import { type KindSource, ServedApi } from "./served-api.ts";
import type { ServedKind } from "./served-kind.ts";

const view = ApiView.ofRelease<ServedKind>(catalogOf({ release: "1.32" }), []);
const widgetsV1 = { group: "example.com", version: "v1", resource: "widgets" };
const key = "/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com";

function emptyStore(): Store<KubeObject> {
  return new Store<KubeObject>({
    clock: new VirtualClock(0),
    historyMilliseconds: 300_000,
    historyBytes: Number.POSITIVE_INFINITY,
    watchCapacity: 10,
    stamp: (value) => value,
    labelsOf: () => ({}),
  });
}

function put(store: Store<KubeObject>, at = key, object: object = widgets()): void {
  void store.guaranteedUpdate(at, () => ({ type: "put", value: structuredClone(object) as KubeObject }));
}

function remove(store: Store<KubeObject>): void {
  void store.guaranteedUpdate(key, () => ({ type: "delete" }));
}

/** What an API serves of widgets, and its generation. */
function seen(served: ServedApi): readonly [isServed: boolean, generation: number] {
  return [served.current.resource(widgetsV1) !== undefined, served.generation];
}

test("a write counts as soon as it is committed, and only if it changes what is served", () => {
  const store = emptyStore();
  const served = new ServedApi(view, store, [toyKinds]);
  expect(seen(served)).toEqual([false, 0]);
  put(store);
  expect(seen(served)).toEqual([true, 1]);
  const { current } = served;
  put(store, "/registry/pods/default/a");
  expect(served.current).toBe(current);
  expect(seen(served)).toEqual([true, 1]);
  remove(store);
  expect(seen(served)).toEqual([false, 2]);
  expect(served.current).toBe(view);
});

test("kinds that are declared before the first look are served without a change", () => {
  const store = emptyStore();
  put(store);
  expect(seen(new ServedApi(view, store, [toyKinds]))).toEqual([true, 0]);
});

test("a store without sources is not watched", () => {
  const store = emptyStore();
  const served = new ServedApi(view, store, []);
  put(store);
  expect(served.current).toBe(view);
  expect(served.generation).toBe(0);
});

test("a fork, a replica and a restored store serve what their own objects declare", () => {
  const store = emptyStore();
  put(store, "/registry/pods/default/a");
  const before = store.snapshot();
  const served = new ServedApi(view, store, [toyKinds]);
  expect(seen(served)).toEqual([false, 0]);
  put(store);
  expect(seen(served)).toEqual([true, 1]);
  const fork = store.fork();
  const ofFork = new ServedApi(view, fork, [toyKinds]);
  const replica = store.replica(store.revision - 1);
  const ofReplica = new ServedApi(view, replica, [toyKinds]);
  expect([seen(ofFork), seen(ofReplica)]).toEqual([
    [true, 0],
    [false, 0],
  ]);
  replica.follow(store);
  expect(seen(ofReplica)).toEqual([true, 1]);
  remove(fork);
  expect([seen(ofFork), seen(served)]).toEqual([
    [false, 1],
    [true, 1],
  ]);
  store.restore(before);
  expect(seen(served)).toEqual([false, 2]);
});

test("a restored store is read again even if its revision is the one that was last seen", () => {
  const store = emptyStore();
  const before = store.snapshot();
  const served = new ServedApi(view, store, [toyKinds]);
  put(store);
  expect(seen(served)).toEqual([true, 0]);
  store.restore(before);
  put(store, "/registry/pods/default/a");
  expect(seen(served)).toEqual([false, 1]);
});

test("more changes than the feed holds are not missed", () => {
  const store = emptyStore();
  const served = new ServedApi(view, store, [toyKinds]);
  expect(seen(served)).toEqual([false, 0]);
  for (let i = 0; i < 20; i++) put(store, `${key}-${i}`, { ...widgets(), i });
  expect(seen(served)).toEqual([true, 1]);
  remove(store);
  expect(served.current.resources(widgetsV1)).toHaveLength(1);
});

test("listeners are called after a change, once for several, and never within a write", async () => {
  const store = emptyStore();
  const served = new ServedApi(view, store, [toyKinds]);
  let calls = 0;
  const stop = served.onChange(() => {
    calls += 1;
  });
  put(store);
  remove(store);
  put(store);
  expect(calls).toBe(0);
  await Promise.resolve();
  expect(calls).toBe(1);
  put(store, "/registry/pods/default/a");
  await Promise.resolve();
  expect(calls).toBe(1);
  stop();
  remove(store);
  await Promise.resolve();
  expect(calls).toBe(1);
});

test("the lifetime of a declared resource ends when it is served differently; that of a built-in one does not", async () => {
  const store = emptyStore();
  put(store);
  const served = new ServedApi(view, store, [toyKinds]);
  const resource = served.current.resource(widgetsV1);
  if (resource === undefined) throw new Error("widgets are not served");
  const lifetime = served.lifetimeOf(resource);
  put(store, "/registry/pods/default/a");
  await Promise.resolve();
  expect(lifetime?.aborted).toBe(false);
  put(store, key, widgets(["v1", "v1beta1"]));
  await Promise.resolve();
  expect(lifetime?.aborted).toBe(true);
  expect(served.lifetimeOf(resource)?.aborted).toBe(true);
  const pods = served.current.resource({ group: "", version: "v1", resource: "pods" });
  expect(pods && served.lifetimeOf(pods)).toBeUndefined();
});

test("an unreadable declaration is ignored", () => {
  const store = emptyStore();
  const served = new ServedApi(view, store, [toyKinds]);
  put(store);
  expect(seen(served)).toEqual([true, 0]);
  store.corrupt(key, "/registry/apiextensions.k8s.io/customresourcedefinitions/");
  expect(seen(served)).toEqual([false, 1]);
});

test("what the release serves cannot be declared", () => {
  const store = emptyStore();
  const declared = (group: string, resource: string, version: string) => {
    const { spec, ...rest } = widgets() as { readonly spec: object };
    const names = { plural: resource, kind: "Intruder" };
    return {
      ...rest,
      spec: { ...spec, group, names, versions: [{ name: version, served: true, storage: true }] },
    };
  };
  put(store, `${key}-1`, declared("apps", "intruders", "v1"));
  put(store, `${key}-2`, declared("apps", "intruders", "v9"));
  const source: KindSource<ServedKind> = toyKinds;
  const { current } = new ServedApi(view, store, [source]);
  expect(current.resource({ group: "apps", version: "v1", resource: "intruders" })).toBeUndefined();
  expect(current.resource({ group: "apps", version: "v9", resource: "intruders" })).toBeDefined();
  const apps = current.groupVersions().filter(({ group }) => group === "apps");
  expect(apps.map(({ version }) => version)).toEqual(["v9", "v1"]);
});
