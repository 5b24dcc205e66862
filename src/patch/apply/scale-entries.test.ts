import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { fieldPath } from "./field-filter.ts";
import { entriesAfterScale, entriesForScale, type ReplicasPaths } from "./scale-entries.ts";

const paths: ReplicasPaths = new Map([
  ["apps/v1", fieldPath("spec.replicas")],
  ["example.com/v1", fieldPath("spec.size.count")],
  ["example.com/v2", undefined],
]);

const replicas = { "f:spec": { "f:replicas": {} } };
const entry = (
  manager: string,
  operation: string,
  apiVersion: string,
  fieldsV1: JsonObject,
  more: JsonObject = {},
): JsonObject => ({
  manager,
  operation,
  apiVersion,
  time: "2026-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1,
  ...more,
});

describe("the entries of a Scale", () => {
  test("are the entries that own the replicas, in the version of Scale", () => {
    const fields = { "f:spec": { "f:paused": {}, "f:replicas": {} } };
    const entries = [
      entry("a", "Apply", "apps/v1", fields),
      entry("b", "Apply", "apps/v1", { "f:spec": { "f:paused": {} } }),
    ];
    expect(entriesForScale(entries, paths)).toEqual([entry("a", "Apply", "autoscaling/v1", replicas)]);
  });

  test("use the replicas path of the entry's version", () => {
    const fields = { "f:spec": { "f:size": { "f:count": {} } } };
    const entries = [
      entry("a", "Apply", "example.com/v1", fields),
      entry("b", "Apply", "example.com/v2", fields),
      entry("c", "Apply", "example.com/v3", fields),
    ];
    expect(entriesForScale(entries, paths)).toEqual([entry("a", "Apply", "autoscaling/v1", replicas)]);
  });

  test("are empty if the replicas have no owner", () => {
    expect(entriesForScale(undefined, paths)).toBeUndefined();
    expect(entriesForScale([entry("a", "Apply", "apps/v1", { "f:spec": {} })], paths)).toBeUndefined();
  });
});

describe("after a write to a Scale", () => {
  const owner = entry("a", "Apply", "apps/v1", { "f:spec": { "f:paused": {}, "f:replicas": {} } });
  const scaler = entry("hpa", "Apply", "autoscaling/v1", replicas, { subresource: "scale" });

  test("a manager that still owns the replicas keeps them", () => {
    const scale = entriesForScale([owner], paths);
    expect(entriesAfterScale([owner], scale, "apps/v1", paths)).toEqual([owner]);
  });

  test("a new owner gets the replicas in the object's version, without a time, and the other managers lose them", () => {
    const { time: _time, ...timeless } = entry("hpa", "Apply", "apps/v1", replicas, { subresource: "scale" });
    expect(entriesAfterScale([owner], [scaler], "apps/v1", paths)).toEqual([
      timeless,
      entry("a", "Apply", "apps/v1", { "f:spec": { "f:paused": {} } }),
    ]);
  });

  test("no manager gets replicas that the Scale's entry or the object's version does not have", () => {
    const other = entry("hpa", "Apply", "autoscaling/v1", { "f:spec": { "f:other": {} } });
    expect(entriesAfterScale(undefined, [other], "apps/v1", paths)).toBeUndefined();
    expect(entriesAfterScale(undefined, [scaler], "example.com/v2", paths)).toBeUndefined();
  });

  test("an entry that loses its only field is removed", () => {
    const entries = [entry("a", "Apply", "apps/v1", replicas)];
    expect(entriesAfterScale(entries, [scaler], "apps/v1", paths)?.map(({ manager }) => manager)).toEqual([
      "hpa",
    ]);
  });

  test("entries of unknown versions are dropped", () => {
    const entries = [
      entry("a", "Apply", "example.com/v3", replicas),
      entry("b", "Apply", "example.com/v2", replicas),
    ];
    expect(entriesAfterScale(entries, undefined, "apps/v1", paths)).toEqual([
      entry("b", "Apply", "example.com/v2", replicas),
    ]);
  });
});
