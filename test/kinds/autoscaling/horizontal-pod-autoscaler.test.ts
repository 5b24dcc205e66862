import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const target = { kind: "Deployment", name: "d" };
const populate = "Required value: must populate information for the given metric source";
const metricTypes = '"ContainerResource", "External", "Object", "Pods", "Resource"';

function autoscaler(spec: object = {}, name = "h"): object {
  return { metadata: { name }, spec: { scaleTargetRef: target, maxReplicas: 3, ...spec } };
}

function metric(type: string, field: string, source: object): object {
  return { metrics: [{ type, [field]: source }] };
}

describe("a HorizontalPodAutoscaler is refused for", () => {
  test.each<[title: string, spec: object, findings: readonly string[]]>([
    [
      "no target and invalid replicas",
      { scaleTargetRef: {}, minReplicas: -1, maxReplicas: 0 },
      [
        "spec.minReplicas: Invalid value: -1: must be greater than or equal to 1",
        "spec.maxReplicas: Invalid value: 0: must be greater than 0",
        "spec.scaleTargetRef.kind: Required value",
        "spec.scaleTargetRef.name: Required value",
      ],
    ],
    [
      "a maximum below the minimum",
      { minReplicas: 5, maxReplicas: 2 },
      ["spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`"],
    ],
    [
      "scaling to zero without an object or external metric",
      { minReplicas: 0 },
      [
        "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1",
        "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
      ],
    ],
    [
      "names that are paths",
      { scaleTargetRef: { kind: "a/b", name: ".." } },
      [
        "spec.scaleTargetRef.kind: Invalid value: \"a/b\": may not contain '/'",
        "spec.scaleTargetRef.name: Invalid value: \"..\": may not be '..'",
      ],
    ],
    [
      "metrics without a known type, reported twice",
      { metrics: [{ type: "" }, { type: "Zed" }] },
      [
        "spec.metrics[0].type: Required value: must specify a metric source type",
        `spec.metrics[0].type: Unsupported value: "": supported values: ${metricTypes}`,
        `spec.metrics[0].type: Unsupported value: "": supported values: ${metricTypes}`,
        `spec.metrics[1].type: Unsupported value: "Zed": supported values: ${metricTypes}`,
        `spec.metrics[1].type: Unsupported value: "Zed": supported values: ${metricTypes}`,
      ],
    ],
    [
      "metrics without a source",
      {
        metrics: ["Object", "Pods", "Resource", "External", "ContainerResource"].map((type) => ({ type })),
      },
      ["object", "pods", "resource", "external", "containerResource"].map(
        (field, position) => `spec.metrics[${position}].${field}: ${populate}`,
      ),
    ],
    [
      "a metric with two sources",
      {
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } },
            pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } },
          },
        ],
      },
      ["spec.metrics[0].pods: Forbidden: must populate the given metric source only"],
    ],
    [
      "a resource without a name or a target",
      metric("Resource", "resource", { name: "", target: { type: "" } }),
      [
        "spec.metrics[0].resource.name: Required value: must specify a resource name",
        "spec.metrics[0].resource.target.type: Required value: must specify a metric target type",
        'spec.metrics[0].resource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
        "spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization",
      ],
    ],
    [
      "a resource with two targets that are not positive",
      metric("Resource", "resource", {
        name: "cpu",
        target: { type: "Utilization", averageUtilization: 0, averageValue: "-1" },
      }),
      [
        'spec.metrics[0].resource.target.averageValue: Invalid value: resource.Quantity{i:resource.int64Amount{value:-1, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"-1", Format:"DecimalSI"}: must be positive',
        "spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
        "spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization",
      ],
    ],
    [
      "an invalid container resource",
      metric("ContainerResource", "containerResource", {
        name: "zed",
        container: "A",
        target: { type: "Utilization", averageUtilization: 1 },
      }),
      [
        "spec.metrics[0].containerResource.name: Invalid value: zed: must be a standard resource type or fully qualified",
        "spec.metrics[0].containerResource.name: Invalid value: zed: must be a standard resource for containers",
        expect.stringContaining(
          'spec.metrics[0].containerResource.container: Invalid value: "A": a lowercase',
        ),
      ],
    ],
    [
      "a container resource without a container",
      metric("ContainerResource", "containerResource", { name: "", container: "", target: {} }),
      [
        "spec.metrics[0].containerResource.name: Required value: must specify a resource name",
        "spec.metrics[0].containerResource.container: Required value: must specify a container",
        "spec.metrics[0].containerResource.target.type: Required value: must specify a metric target type",
        'spec.metrics[0].containerResource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
        "spec.metrics[0].containerResource.target.averageUtilization: Required value: must set either a target raw value or a target utilization",
      ],
    ],
    [
      "a metric of pods without a name or a value",
      metric("Pods", "pods", { metric: { name: "" }, target: { type: "AverageValue" } }),
      [
        "spec.metrics[0].pods.metric.name: Required value: must specify a metric name",
        "spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue",
      ],
    ],
    [
      "a metric of an object without the object",
      metric("Object", "object", {
        describedObject: {},
        metric: { name: "a/b" },
        target: { type: "Value" },
      }),
      [
        "spec.metrics[0].object.describedObject.kind: Required value",
        "spec.metrics[0].object.describedObject.name: Required value",
        "spec.metrics[0].object.metric.name: Invalid value: \"a/b\": may not contain '/'",
        "spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue",
      ],
    ],
    [
      "a metric from outside without a value",
      metric("External", "external", { metric: { name: "m" }, target: { type: "Value" } }),
      [
        "spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target",
      ],
    ],
    [
      "a metric from outside with two values",
      metric("External", "external", {
        metric: { name: "m" },
        target: { type: "Value", value: "1", averageValue: "2" },
      }),
      [
        "spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target",
      ],
    ],
    [
      "a behavior out of bounds",
      {
        behavior: {
          scaleUp: { stabilizationWindowSeconds: -1, selectPolicy: "Q", policies: [] },
          scaleDown: {
            stabilizationWindowSeconds: 3601,
            policies: [
              { type: "Z", value: 0, periodSeconds: 0 },
              { type: "Pods", value: 1, periodSeconds: 1801 },
            ],
          },
        },
      },
      [
        "spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero",
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Q": supported values: "Disabled", "Max", "Min"',
        "spec.behavior.scaleUp.policies: Required value: must specify at least one Policy",
        "spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600",
        'spec.behavior.scaleDown.policies[0].type: Unsupported value: "Z": supported values: "Percent", "Pods"',
        "spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero",
        "spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 0: must be greater than zero",
        "spec.behavior.scaleDown.policies[1].periodSeconds: Invalid value: 1801: must be less than or equal to 1800",
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, autoscaler(spec))).findings).toEqual(findings);
    await send("POST", path, autoscaler());
    expect((await send("PUT", `${path}/h`, autoscaler(spec))).findings).toEqual(findings);
  });

  test("negative numbers in its status", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, autoscaler());
    const status = { currentReplicas: -1, desiredReplicas: -1 };
    expect((await send("PATCH", `${path}/h/status`, { status })).findings).toEqual([
      "status.currentReplicas: Invalid value: -1: must be greater than or equal to 0",
      "status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });
});

test("a HorizontalPodAutoscaler has no generation, and no annotations of v1", async () => {
  const send = testClient(quietCluster());
  const annotations = { "autoscaling.alpha.kubernetes.io/metrics": "[]", a: "b" };
  const { object } = await send("POST", path, {
    ...autoscaler(),
    metadata: { name: "h", annotations },
    status: { desiredReplicas: 7 },
  });
  expect(object.metadata).toMatchObject({ annotations: { a: "b" } });
  expect(object.metadata.annotations).toEqual({ a: "b" });
  expect(object.metadata).not.toHaveProperty("generation");
  expect(object.status).toEqual({ desiredReplicas: 0, currentMetrics: null });
});

describe("a HorizontalPodAutoscaler may", () => {
  const external = metric("External", "external", {
    metric: { name: "m" },
    target: { type: "Value", value: "1" },
  });
  const open = { featureGates: new Map([["HPAScaleToZero", true]]) };

  test("scale to zero with the feature gate, and keeps that without it", async () => {
    const send = testClient(quietCluster(open));
    expect((await send("POST", path, autoscaler({ minReplicas: 0, ...external }))).code).toBe(201);
    expect((await send("PATCH", `${path}/h`, { spec: { minReplicas: -1 } })).findings).toEqual([
      "spec.minReplicas: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  test.each<[tolerance: string, findings: readonly unknown[]]>([
    ["50m", []],
    ["-50m", ['spec.behavior.scaleUp.tolerance: Invalid value: "-50m": must be greater or equal to zero']],
  ])("tolerate %s since 1.35", async (tolerance, findings) => {
    const send = testClient(quietCluster({ release: "1.35" }));
    const answer = await send("POST", path, autoscaler({ behavior: { scaleUp: { tolerance } } }));
    expect(answer.findings).toEqual(findings);
  });

  test("have only its status changed at /status, and only its spec elsewhere", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, autoscaler());
    const change = { spec: { maxReplicas: 9 }, status: { desiredReplicas: 2 } };
    const { object: changed } = await send("PATCH", `${path}/h`, change);
    expect([changed.spec.maxReplicas, changed.status.desiredReplicas]).toEqual([9, 0]);
    const { object: counted } = await send("PATCH", `${path}/h/status`, {
      ...change,
      spec: { maxReplicas: 4 },
    });
    expect([counted.spec.maxReplicas, counted.status.desiredReplicas]).toEqual([9, 2]);
  });
});
