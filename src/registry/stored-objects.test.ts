import { describe, expect, test } from "vitest";
import { toyKinds, widgets } from "../../test/cluster/toy-kinds.ts";
import { VirtualClock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { ApiView } from "../served/api-view.ts";
import { ServedApi } from "../served/served-api.ts";
import type { ServedKind } from "../served/served-kind.ts";
import { Store } from "../store/store.ts";
import type { WatchFeed } from "../store/watch-feed.ts";
import { stampRevision } from "./contract/system-fields.ts";
import { FollowedObjects } from "./followed-objects.ts";
import { StoredObjects } from "./stored-objects.ts";

const view = ApiView.ofRelease<ServedKind>(catalogOf({ release: "1.32" }), []);
const configMaps = { group: "", resource: "configmaps" };
const secrets = { group: "", resource: "secrets" };
const nodes = { group: "", resource: "nodes" };
const unknown = { group: "example.com", resource: "widgets" };
const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

function setUp(watchCapacity = 10) {
  const store = new Store<KubeObject>({
    clock: new VirtualClock(0),
    historyMilliseconds: 300_000,
    historyBytes: Number.POSITIVE_INFINITY,
    watchCapacity,
    stamp: stampRevision,
    labelsOf: () => ({}),
  });
  const objects = new StoredObjects(new ServedApi(view, store, [toyKinds]), store);
  return { store, objects };
}

function named(name: string, namespace?: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  };
}

const namesOf = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name);

describe("stored objects", () => {
  test("are read by namespace, and cluster-scoped ones without", () => {
    const { objects } = setUp();
    objects.put(configMaps, named("a", "one"));
    objects.put(configMaps, named("b", "two"));
    objects.put(nodes, named("n"));
    expect(objects.get(configMaps, "one", "a")?.metadata.name).toBe("a");
    expect(objects.get(configMaps, "two", "a")).toBeUndefined();
    expect(objects.get(nodes, "ignored", "n")?.metadata.name).toBe("n");
    expect(namesOf(objects.list(configMaps, ""))).toEqual(["a", "b"]);
    expect(namesOf(objects.list(configMaps, "two"))).toEqual(["b"]);
    expect(namesOf(objects.list(nodes, ""))).toEqual(["n"]);
  });

  test("have the keys of kube-apiserver", () => {
    const { objects } = setUp();
    expect([
      objects.keyOf(configMaps, "one", "a"),
      objects.keyOf(nodes, "", "n"),
      objects.keyOf({ group: "apps", resource: "deployments" }, "one", "a"),
      objects.keyOf({ group: "extensions", resource: "ingresses" }, "one", "a"),
    ]).toEqual([
      "/registry/configmaps/one/a",
      "/registry/minions/n",
      "/registry/deployments/one/a",
      undefined,
    ]);
  });

  test("are removed, or made unreadable, one by one", () => {
    const { store, objects } = setUp();
    for (const name of ["a", "b"]) objects.put(configMaps, named(name, "one"));
    objects.corrupt(configMaps, "one", "a");
    expect(store.get("/registry/configmaps/one/a")?.corrupt).toBe(true);
    expect(store.get("/registry/configmaps/one/b")?.corrupt).toBe(false);
    objects.remove(configMaps, "one", "b");
    expect(objects.get(configMaps, "one", "b")).toBeUndefined();
  });

  test("of a resource that the server does not have are none", () => {
    const { store, objects } = setUp();
    objects.put(unknown, named("a", "one"));
    objects.remove(unknown, "one", "a");
    objects.corrupt(unknown, "one", "a");
    expect(store.revision).toBe(setUp().store.revision);
    expect(objects.get(unknown, "one", "a")).toBeUndefined();
    expect(objects.list(unknown, "one")).toEqual([]);
    expect([objects.homeOf(unknown), objects.keyOf(unknown, "one", "a")]).toEqual([undefined, undefined]);
  });

  test("have a home as soon as the server has the resource", () => {
    const { objects } = setUp();
    const before = objects.homeOf(configMaps);
    expect(objects.homeOf(configMaps)).toBe(before);
    // Each test has objects of its own.
    objects.put(definitions, structuredClone(widgets()) as KubeObject);
    expect(objects.homeOf(unknown)?.entry.resource).toBe("widgets");
  });
});

describe("followed objects", () => {
  const seen = (followed: FollowedObjects) => {
    const next = followed.next();
    const changes = next?.changes.map(({ type, resource, object }) => [
      type,
      resource.resource,
      object.metadata.name,
    ]);
    return next && [next.isComplete, changes];
  };

  test("come whole at first, then as changes of the followed resources", () => {
    const { store, objects } = setUp();
    objects.put(configMaps, named("a", "one"));
    objects.put(nodes, named("n"));
    const followed = new FollowedObjects(objects, store, [configMaps, secrets, unknown]);
    expect(seen(followed)).toEqual([true, [["put", "configmaps", "a"]]]);
    expect(seen(followed)).toBeUndefined();
    objects.put(secrets, named("s", "one"));
    objects.remove(configMaps, "one", "a");
    expect(seen(followed)).toEqual([
      false,
      [
        ["delete", "configmaps", "a"],
        ["put", "secrets", "s"],
      ],
    ]);
    objects.put(nodes, named("m"));
    expect(seen(followed)).toBeUndefined();
  });

  test("come whole again after more changes than a feed holds", () => {
    const { store, objects } = setUp(2);
    const followed = new FollowedObjects(objects, store, [configMaps, secrets]);
    expect(seen(followed)).toEqual([true, []]);
    for (const name of ["a", "b", "c"]) objects.put(secrets, named(name, "one"));
    const all = ["a", "b", "c"].map((name) => ["put", "secrets", name]);
    expect(seen(followed)).toEqual([true, all]);
    objects.put(secrets, named("d", "one"));
    expect(seen(followed)).toEqual([false, [["put", "secrets", "d"]]]);
  });

  test("leave no feed behind when they come whole again", () => {
    const { store, objects } = setUp(1);
    // The API that is served follows definitions from the first request on.
    objects.list(secrets, "");
    const feeds: WatchFeed<KubeObject>[] = [];
    const watch = store.watch.bind(store);
    store.watch = (options) => {
      const feed = watch(options);
      feeds.push(feed);
      return feed;
    };
    const followed = new FollowedObjects(objects, store, [configMaps, secrets]);
    followed.next();
    for (const name of ["a", "b"]) objects.put(secrets, named(name, "one"));
    followed.next();
    expect(feeds.map(({ ended }) => ended)).toEqual([true, true, false, false]);
  });

  test("come whole again after a restore, even to the same revision", () => {
    const { store, objects } = setUp();
    objects.put(secrets, named("a", "one"));
    const followed = new FollowedObjects(objects, store, [secrets]);
    const snapshot = store.snapshot();
    expect(seen(followed)).toEqual([true, [["put", "secrets", "a"]]]);
    store.restore(snapshot);
    expect(seen(followed)).toEqual([true, [["put", "secrets", "a"]]]);
  });
});
