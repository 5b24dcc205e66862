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

describe("pod-level requests", () => {
  const small = { cpu: "1", memory: "1Gi" };
  const big = { cpu: "4", memory: "4Gi" };
  const pages = { cpu: "1", "hugepages-2Mi": "4Mi" };
  const always = { restartPolicy: "Always", name: "s" };

  test.each<[title: string, resources: JsonObject, spec: JsonObject, expected: JsonObject]>([
    ["default to the limits", { limits: small }, {}, { limits: small, requests: small }],
    [
      "default to the requests of the containers",
      { limits: big },
      { containers: [container({ requests: small }), container({ limits: { cpu: "2" } }, { name: "d" })] },
      { limits: big, requests: { cpu: "3", memory: "1Gi" } },
    ],
    [
      "cover the init containers if they need more",
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
    ["are kept if they are set", { limits: big, requests: small }, {}, { limits: big, requests: small }],
    [
      "exclude resources without pod-level limits or container requests",
      { requests: { cpu: "1" } },
      { containers: [container({ requests: { memory: "1Gi" } })] },
      { requests: { cpu: "1" } },
    ],
    [
      "exclude resources that only containers can have",
      { limits: { cpu: "2" } },
      { containers: [container({ requests: { "ephemeral-storage": "1Gi", "example.com/gpu": "1" } })] },
      { limits: { cpu: "2" }, requests: { cpu: "2" } },
    ],
    [
      "include the huge page limits of the containers",
      { limits: { cpu: "2" } },
      { containers: [container({ limits: pages }), container({ limits: pages }, { name: "d" })] },
      {
        limits: { cpu: "2", "hugepages-2Mi": "8Mi" },
        requests: { cpu: "2", "hugepages-2Mi": "8Mi" },
      },
    ],
    [
      "include the huge pages that the pod requests",
      { requests: { "hugepages-2Mi": "2Mi" } },
      { containers: [container({ limits: pages })] },
      { requests: { "hugepages-2Mi": "2Mi" } },
    ],
    ["are not defaulted without pod-level resources", {}, { containers: [container({ limits: pages })] }, {}],
  ])("%s", (_title, resources, spec, expected) => {
    expect(defaultedResources(resources, spec)).toEqual(expected);
  });

  test("are not defaulted before 1.34", () => {
    expect(defaultedResources({ limits: small }, {}, "1.33")).toEqual({ limits: small });
  });
});
