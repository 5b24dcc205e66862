import { describe, expect, test } from "vitest";
import { builtinObject, type OwnedObject } from "../../../test/arbitraries/owned-object.ts";
import { capUpdaters } from "./cap-managers.ts";
import { setOf } from "./field-set-algebra.ts";
import { managerId, managerInfo, noManaged } from "./managed-fields.ts";

/** A ConfigMap with one key from each of `count` writers. */
function writtenBy(count: number): OwnedObject {
  const object = builtinObject("v1", "ConfigMap");
  const data: { [key: string]: string } = {};
  for (let i = 0; i < count; i++) {
    data[`k${i}`] = "1";
    object.write(`mgr${i}`, { data: { ...data } });
  }
  return object;
}

describe("update managers", () => {
  test("have separate entries up to ten", () => {
    expect(writtenBy(10).entries).toHaveLength(10);
  });

  test("beyond ten are folded into ancient-changes, the oldest first", () => {
    const object = writtenBy(11);
    expect(object.entries).toHaveLength(10);
    expect(object.entries[0]).toEqual({
      manager: "ancient-changes",
      operation: "Update",
      apiVersion: "v1",
      time: "1970-01-01T00:00:02Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { ".": {}, "f:k0": {}, "f:k1": {} } },
    });
    expect(writtenBy(13).owners()["ancient-changes (Update v1)"]).toEqual([
      ".data",
      ".data.k0",
      ".data.k1",
      ".data.k2",
      ".data.k3",
    ]);
  });

  test("are counted without apply managers", () => {
    const object = writtenBy(10);
    for (const manager of ["a", "b", "c"]) object.apply(manager, { data: { k0: "1" } });
    expect(object.entries).toHaveLength(13);
  });

  test("of different versions are folded separately", () => {
    const entries = Array.from({ length: 13 }, (_, i) => ({
      manager: `m${i}`,
      apiVersion: i % 2 === 0 ? "apps/v1" : "apps/v1beta1",
      time: i,
    }));
    const kept = afterCap(entries);
    expect(kept).toHaveLength(10);
    expect(kept.filter(([manager]) => manager === "ancient-changes")).toEqual([
      ["ancient-changes", 4, "f:m0", "f:m2", "f:m4"],
      ["ancient-changes", 3, "f:m1", "f:m3"],
    ]);
  });

  test("are folded by their times, then by name, whatever their order", () => {
    const others = Array.from({ length: 8 }, (_, i) => ({ manager: `z${i}`, time: 20 + i }));
    const [one, two, three] = ["a", "b", "c"].map((manager) => ({ manager, time: 5 }));
    expect(
      afterCap([...others, three, { manager: "old", time: 7 }, one, two].flatMap((e) => e ?? [])).at(-1),
    ).toEqual(["ancient-changes", 5, "f:a", "f:b", "f:c"]);
  });

  test("are counted without appliers, which are never folded", () => {
    const entries = Array.from({ length: 10 }, (_, i) => ({ manager: `m${i}`, time: i }));
    const applied = ["a", "b"].map((manager) => ({ manager, time: 0, applied: true }));
    expect(afterCap([...applied, ...entries])).toHaveLength(12);
    expect(
      afterCap([...applied, ...entries, { manager: "new", time: 30 }]).map(([manager]) => manager),
    ).toEqual(["a", "b", ...entries.slice(2).map(({ manager }) => manager), "new", "ancient-changes"]);
  });

  test("join an existing entry ancient-changes, which has their time, and none if they have none", () => {
    const others = Array.from({ length: 8 }, (_, i) => ({ manager: `m${i}`, time: 30 + i }));
    const ancient = { manager: "ancient-changes", time: 20 };
    const fold = (time: number | undefined) =>
      afterCap([ancient, { manager: "a", time }, { manager: "b", time }, ...others]).slice(0, 2);
    expect(fold(3)).toEqual([
      ["ancient-changes", 3, "f:ancient-changes", "f:b"],
      ["a", 3, "f:a"],
    ]);
    expect(fold(undefined)).toEqual([
      ["ancient-changes", "no time", "f:ancient-changes", "f:b"],
      ["a", "no time", "f:a"],
    ]);
  });
});

interface Entry {
  readonly manager: string;
  readonly apiVersion?: string;
  /** The second of the time. */
  readonly time: number | undefined;
  readonly applied?: boolean;
}

/** What is left of entries that own one field each: the manager, its time and its fields. */
function afterCap(entries: readonly Entry[]): readonly (readonly (string | number)[])[] {
  const managed = noManaged();
  for (const { manager, apiVersion = "apps/v1", time, applied = false } of entries) {
    const operation = applied ? "Apply" : "Update";
    const id = managerId({ manager, operation, apiVersion, subresource: "" });
    managed.managers.set(id, { set: setOf([`f:${manager}`]), apiVersion, applied });
    if (time !== undefined) managed.times.set(id, new Date(time * 1000).toISOString());
  }
  capUpdaters(managed);
  const secondOf = (id: string): string | number =>
    managed.times.has(id) ? Date.parse(managed.times.get(id) ?? "") / 1000 : "no time";
  return [...managed.managers].map(([id, { set }]) => [
    managerInfo(id).manager,
    secondOf(id),
    ...Object.keys(set),
  ]);
}
