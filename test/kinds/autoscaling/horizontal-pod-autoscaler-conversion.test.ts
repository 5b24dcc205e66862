import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const v1 = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const v2 = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const prefix = "autoscaling.alpha.kubernetes.io";
const scaleTargetRef = { kind: "Deployment", name: "d" };

function autoscaler(spec: object = {}, annotations: object = {}): object {
  return { metadata: { name: "h", annotations }, spec: { scaleTargetRef, maxReplicas: 3, ...spec } };
}

function cpu(averageUtilization: number): object {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

/** Each metric as in autoscaling/v2, and as in an annotation of autoscaling/v1. */
const metrics: readonly (readonly [nested: object, flat: string])[] = [
  [
    {
      type: "Object",
      object: {
        describedObject: { kind: "Ingress", name: "i", apiVersion: "networking.k8s.io/v1" },
        target: { type: "AverageValue", value: "2", averageValue: "1500m" },
        metric: { name: "hits", selector: { matchLabels: { a: "b" } } },
      },
    },
    '{"type":"Object","object":{"target":{"kind":"Ingress","name":"i","apiVersion":"networking.k8s.io/v1"},"metricName":"hits","targetValue":"2","selector":{"matchLabels":{"a":"b"}},"averageValue":"1500m"}}',
  ],
  [
    {
      type: "Pods",
      pods: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "1k" } },
    },
    '{"type":"Pods","pods":{"metricName":"queue","targetAverageValue":"1k"}}',
  ],
  [
    {
      type: "Resource",
      resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
    },
    '{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}',
  ],
  [
    {
      type: "ContainerResource",
      containerResource: {
        name: "cpu",
        target: { type: "Utilization", averageUtilization: 60 },
        container: "c",
      },
    },
    '{"type":"ContainerResource","containerResource":{"name":"cpu","targetAverageUtilization":60,"container":"c"}}',
  ],
  [
    {
      type: "External",
      external: { metric: { name: "m" }, target: { type: "Value", value: "5" } },
    },
    '{"type":"External","external":{"metricName":"m","targetValue":"5"}}',
  ],
];

describe("autoscaling/v1 shows", () => {
  test("the CPU utilization, and other metrics in an annotation", async () => {
    const send = testClient(quietCluster());
    const nested = metrics.map(([metric]) => metric);
    await send("POST", v2, autoscaler({ metrics: [nested[0], cpu(50), ...nested.slice(1), cpu(90)] }));
    const { object } = await send("GET", `${v1}/h`);
    expect(object.spec).toEqual({
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
    });
    expect(object.metadata.annotations).toEqual({
      [`${prefix}/metrics`]: `[${metrics.map(([, flat]) => flat).join(",")}]`,
    });
  });

  test("a behavior in an annotation, in Go's format", async () => {
    const send = testClient(quietCluster());
    await send("POST", v2, autoscaler({ behavior: { scaleDown: { selectPolicy: "Disabled" } } }));
    const { annotations } = (await send("GET", `${v1}/h`)).object.metadata;
    expect(annotations).toEqual({
      [`${prefix}/behavior`]:
        '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}]},"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Disabled","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}]}}',
    });
  });

  test("current metrics and conditions in annotations", async () => {
    const send = testClient(quietCluster());
    await send("POST", v2, autoscaler());
    const current = { averageUtilization: 40, averageValue: "100m" };
    const condition = {
      type: "AbleToScale",
      status: "True",
      lastTransitionTime: "2020-01-01T00:00:00Z",
      reason: "R",
    };
    await send("PATCH", `${v2}/h/status`, {
      status: {
        currentReplicas: 1,
        desiredReplicas: 2,
        currentMetrics: [
          { type: "Resource", resource: { name: "cpu", current } },
          { type: "External", external: { metric: { name: "m" }, current: { value: "5" } } },
        ],
        conditions: [condition],
      },
    });
    const { object } = await send("GET", `${v1}/h`);
    expect(object.status).toEqual({
      currentReplicas: 1,
      desiredReplicas: 2,
      currentCPUUtilizationPercentage: 40,
    });
    expect(object.metadata.annotations).toEqual({
      [`${prefix}/current-metrics`]:
        '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":40,"currentAverageValue":"100m"}},{"type":"External","external":{"metricName":"m","currentValue":"5"}}]',
      [`${prefix}/conditions`]: JSON.stringify([condition]),
    });
  });
});

describe("autoscaling/v1 accepts", () => {
  test.each<[title: string, spec: object, annotations: object, expected: readonly object[]]>([
    ["a CPU utilization", { targetCPUUtilizationPercentage: 50 }, {}, [cpu(50)]],
    ["no metrics as 80% of the CPU", {}, {}, [cpu(80)]],
    [
      "other metrics before the CPU",
      { targetCPUUtilizationPercentage: 50 },
      { [`${prefix}/metrics`]: `[${metrics.map(([, flat]) => flat).join(",")}]` },
      [...metrics.map(([nested]) => nested), cpu(50)],
    ],
    [
      "only other metrics",
      {},
      {
        [`${prefix}/metrics`]:
          '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":5}}]',
      },
      [
        {
          type: "Resource",
          resource: { name: "memory", target: { type: "Utilization", averageUtilization: 5 } },
        },
      ],
    ],
    ["invalid metrics as none", {}, { [`${prefix}/metrics`]: "nope" }, [cpu(80)]],
    [
      "invalid quantities as none",
      {},
      { [`${prefix}/metrics`]: '[{"type":"Pods","pods":{"metricName":"q","targetAverageValue":"x"}}]' },
      [cpu(80)],
    ],
  ])("%s", async (_title, spec, annotations, expected) => {
    const send = testClient(quietCluster());
    const { code } = await send("POST", v1, autoscaler(spec, { ...annotations, a: "b" }));
    const { object } = await send("GET", `${v2}/h`);
    expect([code, object.spec.metrics]).toEqual([201, expected]);
    expect(object.metadata.annotations).toEqual({ a: "b" });
  });

  test("a behavior with keys of any case", async () => {
    const send = testClient(quietCluster());
    const scaleDown = '{"policies":[{"TYPE":"Pods","value":1,"PeriodSeconds":60}],"SelectPolicy":"Min"}';
    await send(
      "POST",
      v1,
      autoscaler({}, { [`${prefix}/behavior`]: `{"ScaleUp":null,"scaledown":${scaleDown}}` }),
    );
    const { behavior } = (await send("GET", `${v2}/h`)).object.spec;
    expect(behavior).toEqual({
      scaleDown: {
        selectPolicy: "Min",
        policies: [{ type: "Pods", value: 1, periodSeconds: 60 }],
      },
    });
  });

  test("its own output", async () => {
    const send = testClient(quietCluster());
    const spec = { metrics: [cpu(70), ...metrics.map(([metric]) => metric)], behavior: { scaleUp: {} } };
    await send("POST", v2, autoscaler(spec));
    const before = (await send("GET", `${v2}/h`)).object;
    const shown = (await send("GET", `${v1}/h`)).object;
    expect((await send("PUT", `${v1}/h`, { ...shown, spec: { ...shown.spec, maxReplicas: 9 } })).code).toBe(
      200,
    );
    const after = (await send("GET", `${v2}/h`)).object;
    const [first, ...others] = before.spec.metrics;
    expect(after.spec).toEqual({ ...before.spec, maxReplicas: 9, metrics: [...others, first] });
  });
});

describe("releases with autoscaling/v2beta1", () => {
  const beta = "/apis/autoscaling/v2beta1/namespaces/default/horizontalpodautoscalers";

  test.each(["1.22", "1.24"] as const)("have its metrics in %s", async (release) => {
    const send = testClient(quietCluster({ release }));
    const metric = { type: "Resource", resource: { name: "memory", targetAverageUtilization: 40 } };
    await send("POST", beta, autoscaler({ metrics: [metric] }));
    expect((await send("GET", `${beta}/h`)).object.spec.metrics).toEqual([metric]);
    const { object } = await send("GET", `${v2.replace("/v2/", "/v2beta2/")}/h`);
    expect(object.spec.metrics).toEqual([
      {
        type: "Resource",
        resource: { name: "memory", target: { type: "Utilization", averageUtilization: 40 } },
      },
    ]);
  });
});
