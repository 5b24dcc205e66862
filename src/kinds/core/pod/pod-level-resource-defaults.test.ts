import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import { objectAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

function container(resources: JsonObject, more: JsonObject = {}): JsonObject {
  return { name: "c", image: "i", resources, ...more };
}

function defaultedResources(resources: JsonObject, spec: JsonObject, release = "1.34"): unknown {
  const pod = defaulted("v1/Pod", { spec: { containers: [container({})], ...spec, resources } }, release);
  return objectAt(pod, "spec", "resources");
}

describe("what a pod asks for as a whole", () => {
  const small = { cpu: "1", memory: "1Gi" };
  const big = { cpu: "4", memory: "4Gi" };
  const pages = { cpu: "1", "hugepages-2Mi": "4Mi" };
  const always = { restartPolicy: "Always", name: "s" };

  test.each<[title: string, resources: JsonObject, spec: JsonObject, expected: JsonObject]>([
    ["is requested where it is limited", { limits: small }, {}, { limits: small, requests: small }],
    [
      "is requested as its containers request it",
      { limits: big },
      { containers: [container({ requests: small }), container({ limits: { cpu: "2" } }, { name: "d" })] },
      { limits: big, requests: { cpu: "3", memory: "1Gi" } },
    ],
    [
      "is what the first containers need, if that is more",
      { limits: big },
      {
        containers: [container({ requests: small })],
        initContainers: [
          container({ requests: { cpu: "1" } }, always),
          container({ requests: { cpu: "2" } }, { name: "i" }),
        ],
      },
      { limits: big, requests: { cpu: "3", memory: "1Gi" } },
    ],
    [
      "stays what it is where it says so",
      { limits: big, requests: small },
      {},
      { limits: big, requests: small },
    ],
    [
      "says nothing of what it neither limits nor requests",
      { requests: { cpu: "1" } },
      { containers: [container({ requests: { memory: "1Gi" } })] },
      { requests: { cpu: "1" } },
    ],
    [
      "does not name what only containers can ask for",
      { limits: { cpu: "2" } },
      { containers: [container({ requests: { "ephemeral-storage": "1Gi", "example.com/gpu": "1" } })] },
      { limits: { cpu: "2" }, requests: { cpu: "2" } },
    ],
    [
      "may be as many huge pages as its containers may have",
      { limits: { cpu: "2" } },
      { containers: [container({ limits: pages }), container({ limits: pages }, { name: "d" })] },
      {
        limits: { cpu: "2", "hugepages-2Mi": "8Mi" },
        requests: { cpu: "2", "hugepages-2Mi": "8Mi" },
      },
    ],
    [
      "may be as many huge pages as it requests",
      { requests: { "hugepages-2Mi": "2Mi" } },
      { containers: [container({ limits: pages })] },
      { requests: { "hugepages-2Mi": "2Mi" } },
    ],
    ["is nothing when it says nothing", {}, { containers: [container({ limits: pages })] }, {}],
  ])("%s", (_title, resources, spec, expected) => {
    expect(defaultedResources(resources, spec)).toEqual(expected);
  });

  test("is left alone before 1.34", () => {
    expect(defaultedResources({ limits: small }, {}, "1.33")).toEqual({ limits: small });
  });
});
