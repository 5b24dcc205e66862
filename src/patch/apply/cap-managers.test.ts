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
    const managed = noManaged();
    for (let i = 0; i < 13; i++) {
      const apiVersion = i % 2 === 0 ? "apps/v1" : "apps/v1beta1";
      const id = managerId({ manager: `m${i}`, operation: "Update", apiVersion, subresource: "" });
      managed.managers.set(id, { set: setOf([`f:k${i}`]), apiVersion, applied: false });
      managed.times.set(id, `2026-01-01T00:00:${10 + i}Z`);
    }
    capUpdaters(managed);
    const kept = [...managed.managers].map(([id, { set }]) => [managerInfo(id).manager, ...Object.keys(set)]);
    expect(kept).toHaveLength(10);
    expect(kept.filter(([manager]) => manager === "ancient-changes")).toEqual([
      ["ancient-changes", "f:k0", "f:k2", "f:k4"],
      ["ancient-changes", "f:k1", "f:k3"],
    ]);
  });
});
