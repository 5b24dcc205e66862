import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { encodeJson } from "../../codec/json/json.ts";
import {
  decodeManagedFields,
  encodeManagedFields,
  managerId,
  managerInfo,
  seconds,
} from "./managed-fields.ts";

let names = 0;
/** A name that no test has used: parsed identities are remembered. */
const newName = () => `manager-${names++}`;

const idOf = (manager: string) =>
  managerId({ manager, operation: "Update", apiVersion: "v1", subresource: "status" });

test("the identity of a manager has all its parts", () => {
  for (const operation of ["Apply", "Update"] as const) {
    const apiVersion = operation === "Apply" ? "" : "v1";
    const info = { manager: newName(), operation, apiVersion, subresource: "status" };
    expect(managerInfo(managerId(info))).toEqual(info);
  }
  const applied = managerId({ manager: "", operation: "Apply", apiVersion: "", subresource: "" });
  expect(managerInfo(applied)).toEqual({ manager: "", operation: "Apply", apiVersion: "", subresource: "" });
});

test("an apply has the same identity in each version, whatever its name is", () => {
  for (const manager of ["a", "<"]) {
    const [v1, v2] = ["v1", "v2"].map((apiVersion) =>
      managerId({ manager, operation: "Apply", apiVersion, subresource: "" }),
    );
    expect(v1).toBe(encodeJson({ manager, operation: "Apply" }));
    expect(v2).toBe(v1);
  }
});

test("an identity is JSON, whatever the names of its parts are", () => {
  const name = fc.oneof(fc.string(), fc.constantFrom("", "kubectl-edit", "apps/v1", '"', "a<b", "\u2028"));
  fc.assert(
    fc.property(name, name, name, (manager, apiVersion, subresource) => {
      const info = { manager, operation: "Update", apiVersion, subresource } as const;
      const id = managerId(info);
      const members = {
        ...(manager !== "" && { manager }),
        operation: "Update",
        apiVersion,
        ...(subresource !== "" && { subresource }),
      };
      expect(id).toBe(encodeJson(members));
      expect(managerInfo(id)).toEqual(info);
    }),
  );
});

test("parsed identities are remembered, but neither long ones nor more than a thousand", () => {
  const id = idOf(newName());
  const first = managerInfo(id);
  expect(managerInfo(id)).toBe(first);
  const rest = 500 - idOf("").length - '"manager":"",'.length;
  const [longest, tooLong] = [rest, rest + 1].map((length) => idOf(newName().padEnd(length, "x")));
  expect(managerInfo(longest ?? "")).toBe(managerInfo(longest ?? ""));
  expect(managerInfo(tooLong ?? "")).not.toBe(managerInfo(tooLong ?? ""));
  for (let i = 0; i < 1000; i++) managerInfo(idOf(newName()));
  expect(managerInfo(id)).not.toBe(first);
});

test("several identities are remembered at the same time", () => {
  const ids = [idOf(newName()), idOf(newName()), idOf(newName())];
  const infos = ids.map(managerInfo);
  // Among three of them, all are forgotten at most once.
  const kept = ids.filter((id, i) => managerInfo(id) === infos[i]);
  expect(kept.length).toBeGreaterThan(0);
});

describe("entries of managedFields", () => {
  const entry = (more: JsonObject = {}): JsonObject => ({
    operation: "Update",
    apiVersion: "v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": {} },
    ...more,
  });
  const timesOf = (...entries: readonly JsonObject[]) => [...decodeManagedFields(entries).times.values()];

  test("are none if there is no list", () => {
    for (const value of [undefined, {}, null, []])
      expect(encodeManagedFields(decodeManagedFields(value))).toBeUndefined();
  });

  test.each<[string, JsonValue, string]>([
    ["that is null", null, "operation must be `Apply` or `Update`"],
    ["without a version", entry({ apiVersion: "" }), "apiVersion must not be empty"],
    ["without a type", entry({ fieldsType: null }), "missing fieldsType in managed fields entry 0"],
    ["of another type", entry({ fieldsType: "V2" }), 'invalid fieldsType "V2" in managed fields entry 0'],
  ])("cannot be decoded with one %s", (_title, value, message) => {
    expect(() => decodeManagedFields([value])).toThrow(new DecodeError(message));
  });

  test("that have not changed are encoded as the same objects", () => {
    const entries = [
      entry({ operation: "Apply", manager: "me" }),
      entry({ manager: "a", time: "2026-01-01T00:00:00Z" }),
    ];
    const encoded = encodeManagedFields(decodeManagedFields(entries)) ?? [];
    expect(encoded).toHaveLength(2);
    for (const [i, same] of entries.entries()) expect(encoded[i]).toBe(same);
  });

  test("that have changed are encoded without what they do not have", () => {
    const encoded = (source: JsonObject) =>
      encodeManagedFields({ ...decodeManagedFields([source]), sources: new Map() });
    expect(encoded(entry())).toStrictEqual([entry()]);
    const whole = entry({ manager: "me", time: "2026-01-01T00:00:00Z", subresource: "status" });
    expect(encoded(whole)).toStrictEqual([whole]);
  });

  test("were applied if that was their operation", () => {
    const { managers } = decodeManagedFields([entry(), entry({ operation: "Apply" })]);
    expect([...managers.values()].map(({ applied }) => applied)).toEqual([false, true]);
  });

  test("have the time of the last entry of their manager", () => {
    const time = "2026-01-01T00:00:00Z";
    expect(timesOf(entry({ time }))).toEqual([time]);
    expect(timesOf(entry({ time }), entry())).toEqual([]);
    expect(timesOf(entry({ time: null }))).toEqual([]);
  });

  test("are sorted by operation, then by time in seconds, then by name", () => {
    const sorted = [
      entry({ operation: "Apply", manager: "z", time: "2026-01-01T00:00:09Z" }),
      entry({ manager: "c" }),
      entry({ manager: "y", time: "2026-01-01T00:00:01Z" }),
      entry({ manager: "a", time: "2026-01-01T00:00:02.5Z" }),
      entry({ manager: "b", time: "2026-01-01T00:00:02.1Z" }),
    ];
    expect(encodeManagedFields(decodeManagedFields(sorted.toReversed()))).toEqual(sorted);
  });

  test("have times in seconds since the epoch", () => {
    expect(seconds("2026-01-01T00:00:00Z")).toBe(1_767_225_600);
    expect(seconds("1970-01-01T00:00:02.9Z")).toBe(2);
    expect(seconds(undefined)).toBe(0);
  });
});
