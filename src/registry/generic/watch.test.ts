import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps } from "../../../test/registry/stored-config-maps.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { WatchFeed } from "../../store/watch-feed.ts";
import type { WatchQuery } from "../contract/rest.ts";
import {
  everything,
  type Labeled,
  labelsOf,
  type SelectionPredicate,
} from "../contract/selection-predicate.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { watchObjects } from "./watch.ts";

const prefix = "/registry/configmaps/";
const labeled: SelectionPredicate = {
  ...everything,
  isEmpty: false,
  selects: ({ labels }) => labels["on"] === "true",
};

function put(resource: StoredResource, name: string, on?: boolean, namespace = "n"): void {
  const value = configMap({ name, namespace, ...(on !== undefined && { labels: { on: String(on) } }) });
  void resource.store.guaranteedUpdate(`${prefix}${namespace}/${name}`, () => ({ type: "put", value }));
}

function remove(resource: StoredResource, name: string): void {
  void resource.store.guaranteedUpdate(`${prefix}n/${name}`, () => ({ type: "delete" }));
}

function watch(resource: StoredResource, query: Partial<WatchQuery> = {}) {
  return watchObjects(resource, {
    namespace: "",
    predicate: everything,
    from: "now",
    initialEvents: false,
    signal: new AbortController().signal,
    ...query,
  });
}

const pathOf = ({ metadata: { namespace, name } }: KubeObject) => `${namespace}/${name}`;

function drained(watched: ReturnType<typeof watch>): readonly string[] {
  return watched.drain().map(({ type, object: { value }, revision }) => {
    expect(value.metadata.resourceVersion).toBe(String(revision));
    return `${type} ${pathOf(value)}`;
  });
}

describe("a watch with a selector", () => {
  test("sees an object come, change and go as its labels do", () => {
    const resource = storedConfigMaps();
    const watched = watch(resource, { predicate: labeled });
    const steps: [() => void, readonly string[]][] = [
      [() => put(resource, "a", false), []],
      [() => put(resource, "a", true), ["ADDED n/a"]],
      [() => put(resource, "a", true), ["MODIFIED n/a"]],
      [() => put(resource, "a", false), ["DELETED n/a"]],
      [() => remove(resource, "a"), []],
      [() => put(resource, "a", true), ["ADDED n/a"]],
      [() => remove(resource, "a"), ["DELETED n/a"]],
    ];
    for (const [step, expected] of steps) {
      step();
      expect(drained(watched)).toEqual(expected);
    }
  });

  test("begins with the objects that match, and sees nothing of others", () => {
    const resource = storedConfigMaps();
    put(resource, "a", true);
    put(resource, "b", false);
    const watched = watch(resource, { predicate: labeled, initialEvents: true });
    expect(watched.initial.map(({ value }) => pathOf(value))).toEqual(["n/a"]);
    put(resource, "b", false);
    put(resource, "c", false);
    expect(watched.drain()).toEqual([]);
  });

  test("does not end because of many changes of others, and is not crowded by them", () => {
    const resource = storedConfigMaps();
    const [selective, all] = [watch(resource, { predicate: labeled }), watch(resource)];
    for (let count = 0; count < 50; count++) put(resource, "a", false);
    expect([selective.isCrowded, all.isCrowded]).toEqual([false, true]);
    for (let count = 0; count < 51; count++) put(resource, "a", false);
    expect([selective.ended, all.ended]).toEqual([false, true]);
  });

  test("from a revision sees, of what happened since, what its labels select", () => {
    const resource = storedConfigMaps();
    put(resource, "a", true);
    const from = resource.store.revision;
    put(resource, "b", false);
    put(resource, "b", false);
    remove(resource, "b");
    put(resource, "a", false);
    const watched = watch(resource, { predicate: labeled, from });
    expect(drained(watched)).toEqual(["DELETED n/a"]);
  });

  test("is told of the object that it knew when that no longer matches", () => {
    const resource = storedConfigMaps();
    put(resource, "a", true);
    const watched = watch(resource, { predicate: labeled });
    put(resource, "a", false);
    const [event] = watched.drain();
    expect(event && labelsOf(event.object.value)).toEqual({ on: "true" });
    expect(watched.progress).toBe(resource.store.revision);
  });

  test("gets a deleted object that all watches share, so that it is encoded once", () => {
    const resource = storedConfigMaps();
    put(resource, "a", true);
    const watches = [watch(resource, { predicate: labeled }), watch(resource, { predicate: labeled })];
    remove(resource, "a");
    const [one, other] = watches.map((watched) => watched.drain().at(0)?.object);
    expect(one).toBeDefined();
    expect(one).toBe(other);
  });
});

describe("a watch", () => {
  const two = { ...everything, isEmpty: false, namespace: "two" };
  const a = { ...everything, isEmpty: false, name: "a" };
  const named = { ...a, selects: ({ value }: Labeled) => value.metadata.name === "a" };

  test.each<[string, Partial<WatchQuery>, readonly string[]]>([
    ["of everything", {}, ["n/a", "n/ab", "two/a"]],
    ["of a namespace", { namespace: "n" }, ["n/a", "n/ab"]],
    ["of a namespace that a selector requires", { predicate: two }, ["two/a"]],
    ["of one object", { namespace: "n", predicate: a }, ["n/a"]],
    ["of a name in all namespaces", { predicate: named }, ["n/a", "two/a"]],
    [
      "of an object in a namespace that a selector requires",
      { predicate: { ...two, ...a, namespace: "two" } },
      ["two/a"],
    ],
  ])("%s begins with the present state and continues with changes", (_title, query, expected) => {
    const resource = storedConfigMaps();
    const putAll = () => {
      put(resource, "a");
      put(resource, "ab");
      put(resource, "a", undefined, "two");
    };
    const before = watch(resource, query);
    putAll();
    const after = watch(resource, { ...query, initialEvents: true, from: 1 });
    expect([before.initial, after.initial.map(({ value }) => pathOf(value))]).toEqual([[], expected]);
    expect(drained(before)).toEqual(expected.map((path) => `ADDED ${path}`));
    expect([after.revision, drained(after)]).toEqual([resource.store.revision, []]);
    putAll();
    expect(drained(after)).toEqual(expected.map((path) => `MODIFIED ${path}`));
  });

  test("of one object that does not match, or does not exist, begins with nothing", () => {
    const resource = storedConfigMaps();
    put(resource, "a");
    const query = { namespace: "n", initialEvents: true };
    expect(watch(resource, { ...query, predicate: { ...labeled, name: "a" } }).initial).toEqual([]);
    expect(watch(resource, { ...query, predicate: { ...everything, name: "b" } }).initial).toEqual([]);
  });

  test("from a revision sees the changes after it", () => {
    const resource = storedConfigMaps();
    put(resource, "a");
    const from = resource.store.revision;
    put(resource, "b");
    const watched = watch(resource, { from });
    expect([watched.revision, watched.initial, drained(watched)]).toEqual([from, [], ["ADDED n/b"]]);
  });

  test("of one object without a namespace sees its changes alone", () => {
    const resource = { ...storedConfigMaps(), space: { prefix, namespaced: false } };
    const watched = watch(resource, { predicate: a });
    for (const name of ["a", "ab"]) {
      const value = configMap({ name });
      void resource.store.guaranteedUpdate(`${prefix}${name}`, () => ({ type: "put", value }));
    }
    expect(drained(watched)).toEqual(["ADDED n/a"]);
  });

  test("from now begins at the present revision", () => {
    const resource = storedConfigMaps();
    put(resource, "a");
    expect(watch(resource).revision).toBe(resource.store.revision);
  });

  test("continues after a restore that keeps watches", () => {
    const resource = storedConfigMaps();
    const snapshot = resource.store.snapshot();
    const watched = watch(resource);
    resource.store.restore(snapshot, "keep");
    put(resource, "a");
    expect([watched.ended, drained(watched)]).toEqual([false, ["ADDED n/a"]]);
  });

  test("ends when it is closed, without an error", () => {
    const resource = storedConfigMaps();
    const watched = watch(resource);
    expect(watched.ended).toBe(false);
    watched.close();
    put(resource, "a");
    expect([watched.ended, watched.error, drained(watched)]).toEqual([true, undefined, []]);
  });

  test("calls back when there is something to drain", async () => {
    const resource = storedConfigMaps();
    const watched = watch(resource);
    const ready = new Promise<void>((resolve) => watched.onReady(resolve));
    put(resource, "a");
    await ready;
    expect(drained(watched)).toEqual(["ADDED n/a"]);
  });
});

describe("while an object is corrupt", () => {
  test("a watch ends at once, and one from before gets the error of a compacted revision even later", () => {
    const resource = { ...storedConfigMaps(), gates: featureGates("1.32") };
    put(resource, "a");
    const from = resource.store.revision;
    resource.store.corrupt(`${prefix}n/a`, prefix);
    const during = watch(resource);
    expect([during.ended, during.error]).toEqual([true, undefined]);
    remove(resource, "a");
    const lost = watch(resource, { from });
    expect([lost.ended, lost.error?.reason]).toEqual([true, "compacted"]);
    // The object was corrupt until its removal.
    expect(lost.error?.message).toContain(`the oldest is ${resource.store.revision + 1}`);
    const next = watch(resource);
    expect([next.ended, next.error]).toEqual([false, undefined]);
  });

  test("a watch leaves no other feed behind", () => {
    const { store, ...rest } = storedConfigMaps();
    const resource = { store, ...rest };
    put(resource, "a");
    store.corrupt(`${prefix}n/a`, prefix);
    remove(resource, "a");
    const feeds: WatchFeed<KubeObject>[] = [];
    const open = store.watch.bind(store);
    store.watch = (options) => {
      const feed = open(options);
      feeds.push(feed);
      return feed;
    };
    watch(resource).close();
    expect(feeds.map(({ ended }) => ended)).not.toContain(false);
  });
});
