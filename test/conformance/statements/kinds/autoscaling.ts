import type { Statement } from "../statement.ts";
import { kindStatements } from "./kind-cases.ts";

const cpu = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } },
};

export const autoscalingStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a HorizontalPodAutoscaler",
      source: "kubernetes, pkg/apis/autoscaling/validation/validation_test.go",
      target: "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
      body: (changes) => ({
        spec: {
          scaleTargetRef: { kind: "ReplicationController", name: "rc" },
          minReplicas: 1,
          maxReplicas: 5,
          ...changes,
        },
      }),
    },
    [
      ["ok", { metrics: [cpu] }],
      ["min 0", { minReplicas: 0 }, "spec.minReplicas"],
      ["min > max", { minReplicas: 7 }, "spec.maxReplicas"],
      ["max 0", { maxReplicas: 0 }, "spec.maxReplicas"],
      ["ref no kind", { scaleTargetRef: { name: "x" } }, "spec.scaleTargetRef.kind"],
      ["ref slash", { scaleTargetRef: { kind: "a/b", name: "x" } }, "spec.scaleTargetRef.kind"],
      ["ref name ..", { scaleTargetRef: { kind: "a", name: ".." } }, "spec.scaleTargetRef.name"],
      [
        "util 0",
        {
          metrics: [
            {
              type: "Resource",
              resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } },
            },
          ],
        },
        "spec.metrics[0].resource.target.averageUtilization",
      ],
      [
        "both",
        {
          metrics: [
            {
              type: "Resource",
              resource: {
                name: "cpu",
                target: { type: "Utilization", averageUtilization: 1, averageValue: "1" },
              },
            },
          ],
        },
        "spec.metrics[0].resource.target.averageValue",
      ],
      [
        "none",
        { metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization" } } }] },
        "spec.metrics[0].resource.target.averageUtilization",
      ],
      [
        "no name",
        {
          metrics: [
            { type: "Resource", resource: { target: { type: "Utilization", averageUtilization: 1 } } },
          ],
        },
        "spec.metrics[0].resource.name",
      ],
      [
        "wrong src",
        {
          metrics: [
            {
              type: "Pods",
              resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } },
            },
          ],
        },
        "spec.metrics[0].pods",
      ],
      [
        "two srcs",
        {
          metrics: [
            { ...cpu, pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } } },
          ],
        },
        "spec.metrics[0].pods",
      ],
      [
        "pods no avg",
        {
          metrics: [{ type: "Pods", pods: { metric: { name: "m" }, target: { type: "Value", value: "1" } } }],
        },
        "spec.metrics[0].pods.target.averageValue",
      ],
      [
        "object ok",
        {
          metrics: [
            {
              type: "Object",
              object: {
                describedObject: { kind: "S", name: "n" },
                metric: { name: "m" },
                target: { type: "Value", value: "1" },
              },
            },
          ],
        },
      ],
      [
        "object none",
        {
          metrics: [
            {
              type: "Object",
              object: {
                describedObject: { kind: "S", name: "n" },
                metric: { name: "m" },
                target: { type: "Value" },
              },
            },
          ],
        },
        "spec.metrics[0].object.target.averageValue",
      ],
      [
        "external both",
        {
          metrics: [
            {
              type: "External",
              external: { metric: { name: "m" }, target: { type: "Value", value: "1", averageValue: "1" } },
            },
          ],
        },
        "spec.metrics[0].external.target.value",
      ],
      [
        "external name slash",
        {
          metrics: [
            {
              type: "External",
              external: { metric: { name: "foo/../" }, target: { type: "Value", value: "1" } },
            },
          ],
        },
        "spec.metrics[0].external.metric.name",
      ],
      [
        "container ok",
        {
          metrics: [
            {
              type: "ContainerResource",
              containerResource: {
                name: "cpu",
                container: "c",
                target: { type: "Utilization", averageUtilization: 1 },
              },
            },
          ],
        },
      ],
      [
        "container none",
        {
          metrics: [
            {
              type: "ContainerResource",
              containerResource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } },
            },
          ],
        },
        "spec.metrics[0].containerResource.container",
      ],
      [
        "container dotdot",
        {
          metrics: [
            {
              type: "ContainerResource",
              containerResource: {
                name: "cpu",
                container: "--invalid--",
                target: { type: "Utilization", averageUtilization: 1 },
              },
            },
          ],
        },
        "spec.metrics[0].containerResource.container",
      ],
      ["unknown type", { metrics: [{ type: "Q" }] }, "spec.metrics[0].type"],
      [
        "behavior window",
        { behavior: { scaleUp: { stabilizationWindowSeconds: 3601 } } },
        "spec.behavior.scaleUp.stabilizationWindowSeconds",
      ],
      [
        "behavior neg",
        { behavior: { scaleUp: { stabilizationWindowSeconds: -1 } } },
        "spec.behavior.scaleUp.stabilizationWindowSeconds",
      ],
      ["behavior no policies", { behavior: { scaleUp: { policies: [] } } }, "spec.behavior.scaleUp.policies"],
      [
        "behavior bad policy",
        { behavior: { scaleUp: { policies: [{ type: "hotdog", value: 1, periodSeconds: 1 }] } } },
        "spec.behavior.scaleUp.policies[0].type",
      ],
      [
        "behavior period 1801",
        { behavior: { scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 1801 }] } } },
        "spec.behavior.scaleUp.policies[0].periodSeconds",
      ],
      [
        "behavior select",
        { behavior: { scaleUp: { selectPolicy: "Q" } } },
        "spec.behavior.scaleUp.selectPolicy",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a PodDisruptionBudget",
      source: "kubernetes, pkg/apis/policy/validation/validation_test.go",
      target: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
      body: (changes) => ({ spec: changes }),
    },
    [
      ["neg", { minAvailable: -1 }, "spec.minAvailable"],
      ["pct 101", { minAvailable: "101%" }, "spec.minAvailable"],
      ["pct 1.5%", { minAvailable: "1.5%" }, "spec.minAvailable"],
      ["pct -1%", { minAvailable: "-1%" }, "spec.minAvailable"],
      ["pct", { minAvailable: "100%" }],
      ["both", { minAvailable: 1, maxUnavailable: 1 }, "spec"],
      ["selector bad", { selector: { matchLabels: { "a b": "x" } } }, "spec.selector.matchLabels"],
      ["policy bad", { unhealthyPodEvictionPolicy: "Q" }, "spec.unhealthyPodEvictionPolicy"],
      ["nothing", {}],
    ],
  ),
];
