import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import { asking, quietCluster } from "../../registry/asked.ts";
import { askingForPods, podSpecFindings, podsPath } from "../../registry/pods.ts";

const cpu = { cpu: "1" };

function container(resources: JsonObject): JsonObject {
  return { name: "c", image: "i", resources };
}

describe("pod-level resources are refused for", () => {
  test.each<[title: string, spec: JsonObject, findings: readonly string[]]>([
    [
      "Windows",
      { os: { name: "windows" }, resources: { requests: cpu } },
      ["spec.resources: Forbidden: may not be set for a windows pod"],
    ],
    [
      "claims",
      { resourceClaims: [{ name: "a", resourceClaimName: "a" }], resources: { claims: [{ name: "a" }] } },
      ["spec.resources.claims: Forbidden: claims cannot be set for Resources at pod-level"],
    ],
    [
      "invalid names",
      { resources: { requests: { foo: "1", ...cpu } } },
      [
        'spec.resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      ],
    ],
    [
      "resources that only containers can request",
      { resources: { requests: { "ephemeral-storage": "1Gi", ...cpu } } },
      [
        'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
      ],
    ],
    [
      "requests above their limits",
      { resources: { limits: cpu, requests: { cpu: "2" } } },
      ['spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      "less than the containers request",
      {
        containers: [container({ requests: { cpu: "1500m", memory: "1Gi", "ephemeral-storage": "1Gi" } })],
        resources: { requests: cpu },
      },
      [
        'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1500m',
      ],
    ],
    [
      "fewer huge pages than the container limits",
      {
        containers: [container({ limits: { ...cpu, "hugepages-2Mi": "4Mi" } })],
        resources: { limits: { ...cpu, "hugepages-2Mi": "2Mi" } },
      },
      [
        'spec.resources.requests[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container requests of 4Mi',
        'spec.resources.limits[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container limits of 4Mi',
        'spec.resources.containers[0][hugepages-2Mi].limits: Invalid value: "4Mi": must be less than or equal to pod limits of 2Mi',
      ],
    ],
    [
      "limits below those of a container",
      {
        containers: [container({ limits: { cpu: "2" }, requests: cpu })],
        resources: { limits: cpu },
      },
      [
        'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
      ],
    ],
  ])("%s", (_title, spec, findings) => {
    expect(podSpecFindings(spec, { release: "1.34" })).toEqual(findings);
    expect(podSpecFindings(spec, { release: "1.33" })).toEqual([]);
  });
});

test.each<[release: string, resources: JsonObject, qosClass: string]>([
  ["1.33", { limits: { cpu: "1", memory: "1Gi" } }, "BestEffort"],
  ["1.34", { limits: { cpu: "1", memory: "1Gi" } }, "Guaranteed"],
  ["1.34", { requests: cpu }, "Burstable"],
])("a pod of %s that requests %j is %s", async (release, resources, qosClass) => {
  const spec = { containers: [container({})], resources };
  const { object } = await askingForPods(release)("POST", podsPath, { metadata: { name: "p" }, spec });
  expect(object.status.qosClass).toBe(qosClass);
});

test("a pod with pod-level resources is charged for them, and its containers need no requests", async () => {
  const ask = asking(
    quietCluster({ release: "1.34", controllers: ["serviceaccount-controller", "resourcequota-controller"] }),
  );
  const quotas = "/api/v1/namespaces/default/resourcequotas";
  await ask("POST", quotas, { metadata: { name: "q" }, spec: { hard: { cpu: "2" } } });
  await expect.poll(async () => (await ask("GET", `${quotas}/q`)).object.status.hard).toEqual({ cpu: "2" });
  const pod = (resources: JsonObject) => ({
    metadata: { generateName: "p" },
    spec: { containers: [container({})], resources },
  });
  expect((await ask("POST", podsPath, pod({}))).findings).toEqual([
    expect.stringContaining("must specify cpu for: c"),
  ]);
  expect((await ask("POST", podsPath, pod({ requests: { cpu: "2" } }))).findings).toEqual([]);
  expect((await ask("POST", podsPath, pod({ requests: cpu }))).findings).toEqual([
    expect.stringContaining("exceeded quota: q, requested: cpu=1, used: cpu=2, limited: cpu=2"),
  ]);
});
