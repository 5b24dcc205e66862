import { describe, expect, test } from "vitest";
import { builtinTestKind } from "../../../test/arbitraries/owned-object.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { type JsonObject, jsonCopy } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { type FieldManager, fieldManager } from "./field-manager.ts";
import type { Force } from "./updater.ts";

/** Counts every look at a list, an object or a set that it handed out. */
class Lookout {
  looks = 0;

  /** The same value, all the way down, which tells of every look at it. */
  over<T>(value: T): T {
    if (typeof value !== "object" || value === null) return value;
    const look = () => {
      this.looks++;
    };
    const watched = new Map<PropertyKey, unknown>();
    return new Proxy<T & object>(value, {
      get: (target, key) => {
        look();
        if (!watched.has(key)) watched.set(key, this.over(Reflect.get(target, key)));
        return watched.get(key);
      },
      has: (target, key) => {
        look();
        return Reflect.has(target, key);
      },
      ownKeys: (target) => {
        look();
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor: (target, key) => {
        look();
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

/** A write to a service of so many ports that `me` applied. */
type Write = (
  manager: FieldManager,
  live: KubeObject,
  ports: readonly JsonObject[],
  lookout: Lookout,
) => void;

const apply =
  (
    who: string,
    change: (ports: readonly JsonObject[]) => readonly JsonObject[],
    force: Force = "careful",
  ): Write =>
  (manager, live, ports, lookout) => {
    const config = lookout.over(serviceOf(change(ports)));
    try {
      manager.apply(live, config, who, force);
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409) throw error;
    }
  };

const update =
  (change: (ports: readonly JsonObject[]) => readonly JsonObject[]): Write =>
  (manager, live, ports, lookout) => {
    const { managedFields: _entries, ...metadata } = live.metadata;
    // Its metadata is written to, so that is no part of what is watched.
    const object = { ...lookout.over(serviceOf(change(ports))), metadata: { ...metadata } };
    manager.update(live, object as unknown as MutableKubeObject, "w");
  };

const same = (ports: readonly JsonObject[]) => ports;
const oneChanged = (ports: readonly JsonObject[]) => ports.with(7, { ...ports[7], name: "other" });
const allChanged = (ports: readonly JsonObject[]) => ports.map((port) => ({ ...port, name: "other" }));
const oneLess = (ports: readonly JsonObject[]) => ports.toSpliced(7, 1);
const everyOther = (ports: readonly JsonObject[]) => ports.filter((_port, i) => i % 2 === 0);
const backwards = (ports: readonly JsonObject[]) => ports.toReversed();
const oneMore = (ports: readonly JsonObject[]) =>
  ports.toSpliced(7, 0, { name: "new", port: 60_000, protocol: "TCP" });

describe("a list that is twice as long takes twice the looks", () => {
  test.each<[string, Write]>([
    ["when it is applied again", apply("me", same)],
    ["when one item of it changes", apply("me", oneChanged)],
    ["when all items of it change", apply("me", allChanged)],
    ["when an item is left out", apply("me", oneLess)],
    ["when every other item is left out", apply("me", everyOther)],
    ["when all items are left out", apply("me", () => [])],
    ["when an item is added in the middle", apply("me", oneMore)],
    ["when it is applied backwards", apply("me", backwards)],
    ["when another manager shares it", apply("you", same)],
    ["when another manager is in conflict over all of it", apply("you", allChanged)],
    ["when another manager takes all of it", apply("you", allChanged, "forced")],
    ["when it is written as it is", update(same)],
    ["when one item of it is written", update(oneChanged)],
    ["when all items of it are written", update(allChanged)],
    ["when items are written away", update(everyOther)],
    ["when it is written backwards", update(backwards)],
  ])("%s", (_title, write) => {
    const short = looksAt(write, 200);
    expect(short).toBeGreaterThan(200);
    expect(looksAt(write, 400) / short).toBeLessThan(2.1);
  });
});

/** How often a write looks at what is sent and what is there, entries included. */
function looksAt(write: Write, count: number): number {
  const manager = fieldManager({ ...kind, subresource: "", filter: (set) => set, now: () => 0 });
  const ports = portsOf(count);
  const applied = manager.apply(undefined, serviceOf(ports), "me", "careful");
  applied.metadata.uid = "1";
  const lookout = new Lookout();
  // A copy, since what is frozen cannot be watched.
  write(manager, lookout.over(jsonCopy(kind.store(applied))), ports, lookout);
  return lookout.looks;
}
