import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps } from "../../../test/registry/stored-config-maps.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseFieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import { parseLabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import { Store } from "../../store/store.ts";
import type { Freshness, ListQuery, ListResult } from "../contract/rest.ts";
import {
  everything,
  type Labeled,
  labelsOf,
  type SelectionPredicate,
  selectionPredicate,
} from "../contract/selection-predicate.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { stampRevision } from "../contract/system-fields.ts";
import { decodeContinueToken, encodeContinueToken } from "./continue-token.ts";
import { listObjects } from "./list.ts";

const count = 100_000;
const namespace = "n";
const prefix = "/registry/things/";

const store = new Store<KubeObject>({
  clock: new VirtualClock(0),
  historyMilliseconds: 300_000,
  historyBytes: Number.POSITIVE_INFINITY,
  stamp: stampRevision,
  labelsOf,
  watchCapacity: 10,
});
for (let n = 0; n < count; n++) {
  const name = `thing-${String(n).padStart(6, "0")}`;
  const value = { kind: "Thing", apiVersion: "example.com/v1", metadata: { namespace, name } };
  void store.guaranteedUpdate(`${prefix}${namespace}/${name}`, () => ({ type: "put", value }));
}
// A list needs neither the kind's rules nor its schema.
const resource = { store, space: { prefix, namespaced: true } } as StoredResource;

/** Selects everything and counts its calls. */
function countingPredicate(): { readonly predicate: SelectionPredicate; asked: number } {
  const counter = {
    asked: 0,
    predicate: {
      ...everything,
      isEmpty: false,
      selects: () => {
        counter.asked += 1;
        return true;
      },
    },
  };
  return counter;
}

describe("of 100,000 objects", () => {
  test("a page reads only its own objects, wherever it starts", () => {
    const counter = countingPredicate();
    const looks: number[] = [];
    let continueToken = "";
    let listed = 0;
    do {
      const query = { namespace, predicate: counter.predicate, limit: 500, continueToken };
      const page = listObjects(resource, { ...query, freshness: { at: "newest" } });
      listed += page.items.length;
      looks.push(counter.asked);
      counter.asked = 0;
      continueToken = page.continueToken ?? "";
    } while (continueToken !== "");
    expect(listed).toBe(count);
    expect(looks).toEqual(Array.from({ length: count / 500 }, () => 500));
  });

  test("a selector that was asked about all of them asks about the selected ones alone", () => {
    let asked = 0;
    const selects = ({ value }: Labeled) => {
      asked += 1;
      return value.metadata.name === "thing-050000";
    };
    const predicate = { ...everything, isEmpty: false, key: "one of many", selects };
    const list = () =>
      listObjects(resource, {
        namespace,
        predicate,
        limit: 0,
        continueToken: "",
        freshness: { at: "newest" },
      });
    const counts = [1, 2].map(() => {
      asked = 0;
      return [list().items.length, asked];
    });
    expect(counts[0]).toEqual([1, count]);
    expect(counts[1]?.[0]).toBe(1);
    // It asks about the objects that are near the selected one in the tree.
    expect(counts[1]?.[1]).toBeLessThan(1000);
  });

  test("a list that can match a single object reads only that object", () => {
    const counter = countingPredicate();
    const predicate = { ...counter.predicate, name: "thing-050000" };
    const query = { namespace, predicate, limit: 0, continueToken: "" };
    const { items } = listObjects(resource, { ...query, freshness: { at: "newest" } });
    expect([items.length, counter.asked]).toEqual([1, 1]);
  });
});

describe("a list", () => {
  const query: ListQuery = {
    namespace: "n",
    predicate: everything,
    limit: 0,
    continueToken: "",
    freshness: { at: "newest" },
  };
  const on = { ...everything, isEmpty: false, selects: ({ labels }: Labeled) => labels["on"] === "true" };
  const path = (name: string) => `/registry/configmaps/n/${name}`;

  function stored(names: readonly string[]): StoredResource {
    const resource = storedConfigMaps();
    for (const name of names) {
      const value = configMap({ name, labels: { on: String(name === "a") } });
      void resource.store.guaranteedUpdate(path(name), () => ({ type: "put", value }));
    }
    return resource;
  }

  const namesOf = ({ items }: ListResult) => items.map(({ value }) => value.metadata.name);

  test("with a selector selects as usual while an object of another resource is corrupt", () => {
    const resource = stored(["a", "b"]);
    void resource.store.guaranteedUpdate("/registry/others/n/c", () => ({
      type: "put",
      value: configMap({ name: "c" }),
    }));
    resource.store.corrupt("/registry/others/n/c", "/registry/others/");
    expect(namesOf(listObjects(resource, { ...query, predicate: on }))).toEqual(["a"]);
  });

  test("fails because of a corrupt object, even if the selector would not match it", () => {
    const resource = stored(["a", "b"]);
    resource.store.corrupt(path("b"), "/registry/configmaps/");
    const freshness = { at: "exactly", revision: resource.store.revision } as const;
    const selection = selectionPredicate(
      parseLabelSelector("on=true", () => true),
      parseFieldSelector(""),
      () => "",
      "v1, Kind=ConfigMap",
    );
    for (const predicate of [on, selection, { ...everything, isEmpty: false, name: "b" }]) {
      expect(() => listObjects(resource, { ...query, freshness, predicate })).toThrow(
        /unable to transform key "\/registry\/configmaps\/n\/b"/,
      );
    }
  });

  test("that continues at the latest revision has what is there now", () => {
    const resource = stored(["a", "b", "c"]);
    void resource.store.guaranteedUpdate(path("b"), () => ({ type: "delete" }));
    const continueToken = encodeContinueToken({ revision: -1, start: "a\0" });
    expect(namesOf(listObjects(resource, { ...query, continueToken }))).toEqual(["c"]);
  });

  test("in pages counts what is left, unless it selects", () => {
    const resource = stored(["a", "b", "c"]);
    const first = listObjects(resource, { ...query, limit: 2 });
    expect([namesOf(first), first.remainingItemCount]).toEqual([["a", "b"], 1]);
    const { continueToken = "" } = first;
    expect(decodeContinueToken(continueToken)).toEqual({ revision: resource.store.revision, start: "b\0" });
    const rest = listObjects(resource, { ...query, limit: 2, continueToken });
    expect([namesOf(rest), rest.continueToken, rest.remainingItemCount]).toEqual([
      ["c"],
      undefined,
      undefined,
    ]);
    const selected = listObjects(resource, { ...query, limit: 1, predicate: on });
    expect([namesOf(selected), selected.remainingItemCount]).toEqual([["a"], undefined]);
    expect(selected.continueToken).toBeDefined();
  });

  test("of any version has no pages, and one of the watch cache its own tokens", () => {
    const resource = stored(["a", "b"]);
    const list = (freshness: Freshness) => listObjects(resource, { ...query, limit: 1, freshness });
    expect(namesOf(list({ at: "any" }))).toEqual(["a", "b"]);
    const starts = (["newest", "notOlderThan"] as const).map((at) => {
      const { continueToken = "" } = list({ at });
      return JSON.parse(Buffer.from(continueToken, "base64url").toString()).start;
    });
    expect(starts).toEqual(["a\0", "/a\0"]);
  });

  test.each([
    ["all", everything],
    ["one", { ...everything, isEmpty: false, name: "a" }],
  ])("at a revision has what was there then: %s", (_title, predicate) => {
    const resource = stored(["a"]);
    const { revision } = resource.store;
    void resource.store.guaranteedUpdate(path("a"), () => ({ type: "delete" }));
    const list = (at: number) =>
      listObjects(resource, { ...query, predicate, freshness: { at: "exactly", revision: at } });
    const then = list(revision);
    expect([namesOf(then), then.resourceVersion]).toEqual([["a"], String(revision)]);
    const now = listObjects(resource, { ...query, predicate });
    expect([namesOf(now), now.resourceVersion]).toEqual([[], String(revision + 1)]);
    expect(() => list(revision + 2)).toThrow(
      expect.objectContaining({
        code: 500,
        message: "etcdserver: mvcc: required revision is a future revision",
      }),
    );
    resource.store.compact();
    expect(() => list(revision)).toThrow(
      expect.objectContaining({
        code: 410,
        message: "The resourceVersion for the provided list is too old.",
      }),
    );
  });

  test("waits for the watch cache while an object is corrupt, unless it reads storage", () => {
    const resource = stored(["a", "b"]);
    resource.store.corrupt(path("b"), "/registry/configmaps/");
    expect(() => listObjects(resource, { ...query, predicate: on })).toThrow(
      expect.objectContaining({ code: 429 }),
    );
    const page = listObjects(resource, { ...query, limit: 1, freshness: { at: "any" } });
    expect([namesOf(page), page.continueToken === undefined]).toEqual([["a"], false]);
  });

  test("that continues at a compacted revision says how to go on at the latest one", () => {
    const resource = stored(["a", "b"]);
    resource.store.compact();
    const continueToken = encodeContinueToken({ revision: 1, start: "a\0" });
    const next = encodeContinueToken({ revision: -1, start: "a\0" });
    expect(() => listObjects(resource, { ...query, continueToken })).toThrow(
      expect.objectContaining({
        status: expect.objectContaining({ code: 410, metadata: { continue: next } }),
      }),
    );
  });

  test("does not change an error of what selects", () => {
    const selects = () => {
      throw new Error("not selected");
    };
    const predicate = { ...everything, isEmpty: false, selects };
    expect(() => listObjects(stored(["a"]), { ...query, predicate })).toThrow(/^not selected$/);
  });
});

test("a list of the namespace that a field selector requires reads no other", () => {
  const counter = countingPredicate();
  const predicate = { ...counter.predicate, namespace: "m" };
  const freshness = { at: "newest" } as const;
  const { items } = listObjects(resource, {
    namespace: "",
    predicate,
    limit: 0,
    continueToken: "",
    freshness,
  });
  expect([items, counter.asked]).toEqual([[], 0]);
});
