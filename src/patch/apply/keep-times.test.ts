import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { keepTimes } from "./keep-times.ts";

const entry = (manager: string, time?: string): JsonObject => ({
  manager,
  operation: "Apply",
  apiVersion: "v1",
  ...(time !== undefined && { time }),
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": { "f:a": {} } },
});

function configMap(managedFields: readonly JsonObject[], data: JsonObject = { a: "1" }): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", managedFields }, data };
}

const [then, now] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"];
const live = configMap([entry("a", then), entry("b")]);

test.each<[string, KubeObject, KubeObject]>([
  ["times are restored if nothing else changed", configMap([entry("a", now), entry("b", now)]), live],
  [
    "times stay if a value changed",
    configMap([entry("a", now), entry("b")], { a: "2" }),
    configMap([entry("a", now), entry("b")], { a: "2" }),
  ],
  [
    "times stay if a manager was added",
    configMap([entry("a", now), entry("b"), entry("c", now)]),
    configMap([entry("a", now), entry("b"), entry("c", now)]),
  ],
  [
    "times stay if a manager changed",
    configMap([entry("c", now), entry("b")]),
    configMap([entry("c", now), entry("b")]),
  ],
])("%s", (_title, object, expected) => {
  expect(keepTimes(object, live)).toEqual(expected);
});

test("times stay if the object had no entries, or has none", () => {
  const { managedFields: _entries, ...metadata } = live.metadata;
  const without: KubeObject = { ...live, metadata };
  expect(keepTimes(live, without)).toBe(live);
  expect(keepTimes(without, live)).toBe(without);
  expect(keepTimes(without, without)).toBe(without);
});

test("an object with unchanged times is returned as it is", () => {
  const same = configMap([entry("a", then), entry("b")]);
  expect(keepTimes(same, live)).toBe(same);
  expect(keepTimes(configMap([]), configMap([]))).toEqual(configMap([]));
});
