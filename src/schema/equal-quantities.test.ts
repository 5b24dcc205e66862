import { describe, expect, test } from "vitest";
import type { JsonObject } from "../apimachinery/json.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { withEqualQuantities } from "./equal-quantities.ts";

const catalog = catalogOf({ release: "1.32" });

function like(kind: string, old: JsonObject, now: JsonObject): JsonObject {
  const schema = catalog.kind({ group: "", version: "v1", kind });
  if (schema === undefined) throw new Error(`no ${kind}`);
  return withEqualQuantities(schema, old, now);
}

function pod(memory: string, ...others: readonly string[]): JsonObject {
  const containers = [memory, ...others].map((amount) => ({ resources: { limits: { memory: amount } } }));
  return { spec: { nodeName: memory, containers } };
}

describe("an old object", () => {
  test.each<[string, string, JsonObject, JsonObject, JsonObject]>([
    [
      "gets the new notation of equal amounts",
      "Pod",
      pod("1Gi", "1Gi"),
      pod("1073741824", "2Gi"),
      { spec: { ...Object(pod("1073741824", "1Gi")["spec"]), nodeName: "1Gi" } },
    ],
    [
      "keeps amounts that the new object does not have",
      "Pod",
      pod("1Gi", "2Gi"),
      pod("1Gi"),
      pod("1Gi", "2Gi"),
    ],
    ["gets no additional amounts", "Pod", { spec: {} }, pod("1Gi"), { spec: {} }],
    [
      "gets the new notation per resource",
      "ResourceQuota",
      { spec: { hard: { memory: "1Gi", pods: "1k", __proto__x: "1Gi" } } },
      { spec: { hard: { pods: "1000", memory: "1" } } },
      { spec: { hard: { memory: "1Gi", pods: "1000", __proto__x: "1Gi" } } },
    ],
  ])("%s", (_title, kind, old, now, expected) => {
    expect(like(kind, old, now)).toEqual(expected);
  });

  test("is returned itself if no notation changes", () => {
    const old = pod("1Gi");
    expect(like("Pod", old, pod("2Gi"))).toBe(old);
    const configMap = { data: { a: "1Gi" } };
    expect(like("ConfigMap", configMap, { data: { a: "1073741824" } })).toBe(configMap);
  });
});
