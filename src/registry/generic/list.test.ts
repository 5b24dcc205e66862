import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { Store } from "../../store/store.ts";
import { everything, labelsOf, type SelectionPredicate } from "../contract/selection-predicate.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { stampRevision } from "../contract/system-fields.ts";
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

  test("a list that can match a single object reads only that object", () => {
    const counter = countingPredicate();
    const predicate = { ...counter.predicate, name: "thing-050000" };
    const query = { namespace, predicate, limit: 0, continueToken: "" };
    const { items } = listObjects(resource, { ...query, freshness: { at: "newest" } });
    expect([items.length, counter.asked]).toEqual([1, 1]);
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
