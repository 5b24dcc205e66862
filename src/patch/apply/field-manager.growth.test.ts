import { describe, expect, test } from "vitest";
import { builtinTestKind } from "../../../test/arbitraries/owned-object.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { type JsonObject, jsonCopy } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { type FieldManager, fieldManager } from "./field-manager.ts";
import type { Force } from "./updater.ts";

/** Counts the reads of the lists, objects and sets that it wraps. */
class ReadCounter {
  reads = 0;

  /** A proxy of the value, at every level, that counts reads. */
  wrap<T>(value: T): T {
    if (typeof value !== "object" || value === null) return value;
    const count = () => {
      this.reads++;
    };
    const proxies = new Map<PropertyKey, unknown>();
    return new Proxy<T & object>(value, {
      get: (target, key) => {
        count();
        if (!proxies.has(key)) proxies.set(key, this.wrap(Reflect.get(target, key)));
        return proxies.get(key);
      },
      has: (target, key) => {
        count();
        return Reflect.has(target, key);
      },
      ownKeys: (target) => {
        count();
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor: (target, key) => {
        count();
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
  }
}

const kind = builtinTestKind("v1", "Service");

function serviceOf(ports: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { ports, ...more } };
}

const portsOf = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port: i + 1, protocol: "TCP" }));

/** A write to a service with ports that `me` applied. */
type Write = (
  manager: FieldManager,
  live: KubeObject,
  ports: readonly JsonObject[],
  counter: ReadCounter,
) => void;

const apply =
  (
    who: string,
    change: (ports: readonly JsonObject[]) => readonly JsonObject[],
    force: Force = "careful",
  ): Write =>
  (manager, live, ports, counter) => {
    const config = counter.wrap(serviceOf(change(ports)));
    try {
      manager.apply(live, config, who, force);
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409) throw error;
    }
  };

const update =
  (change: (ports: readonly JsonObject[]) => readonly JsonObject[]): Write =>
  (manager, live, ports, counter) => {
    const { managedFields: _entries, ...metadata } = live.metadata;
    // The field manager writes to the metadata, so reads of it are not counted.
    const object = { ...counter.wrap(serviceOf(change(ports))), metadata: { ...metadata } };
    manager.update(live, object as unknown as MutableKubeObject, "w");
  };

const same = (ports: readonly JsonObject[]) => ports;
const oneChanged = (ports: readonly JsonObject[]) => ports.with(7, { ...ports[7], name: "other" });
const allChanged = (ports: readonly JsonObject[]) => ports.map((port) => ({ ...port, name: "other" }));
const oneLess = (ports: readonly JsonObject[]) => ports.toSpliced(7, 1);
const everyOther = (ports: readonly JsonObject[]) => ports.filter((_port, i) => i % 2 === 0);
const reversed = (ports: readonly JsonObject[]) => ports.toReversed();
const oneMore = (ports: readonly JsonObject[]) =>
  ports.toSpliced(7, 0, { name: "new", port: 60_000, protocol: "TCP" });

describe("a list of twice the length takes at most about twice as many reads", () => {
  test.each<[string, Write]>([
    ["when it is applied unchanged", apply("me", same)],
    ["when one item of it changes", apply("me", oneChanged)],
    ["when all items of it change", apply("me", allChanged)],
    ["when an item is omitted", apply("me", oneLess)],
    ["when every other item is omitted", apply("me", everyOther)],
    ["when all items are omitted", apply("me", () => [])],
    ["when an item is added in the middle", apply("me", oneMore)],
    ["when it is applied in reverse order", apply("me", reversed)],
    ["when another manager shares it", apply("you", same)],
    ["when another manager conflicts with all of it", apply("you", allChanged)],
    ["when another manager takes over all of it", apply("you", allChanged, "forced")],
    ["when it is written unchanged", update(same)],
    ["when an update changes one item", update(oneChanged)],
    ["when an update changes all items", update(allChanged)],
    ["when an update removes items", update(everyOther)],
    ["when an update reverses it", update(reversed)],
  ])("%s", (_title, write) => {
    const short = readsOf(write, 200);
    expect(short).toBeGreaterThan(200);
    expect(readsOf(write, 400) / short).toBeLessThan(2.1);
  });
});

/** The number of reads of the sent and the live object, entries included, during a write. */
function readsOf(write: Write, count: number): number {
  const manager = fieldManager({
    tracksCreations: true,
    ...kind,
    subresource: "",
    filter: (set) => set,
    now: () => 0,
  });
  const ports = portsOf(count);
  const applied = manager.apply(undefined, serviceOf(ports), "me", "careful");
  applied.metadata.uid = "1";
  const counter = new ReadCounter();
  // A copy, because reads of frozen objects cannot be counted.
  write(manager, counter.wrap(jsonCopy(kind.store(applied))), ports, counter);
  return counter.reads;
}
