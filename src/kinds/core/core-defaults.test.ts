import { describe, expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

describe("a kind of the core group", () => {
  test.each<[title: string, kind: string, sent: JsonObject, expected: JsonObject]>([
    ["a Secret is opaque", "Secret", {}, { type: "Opaque" }],
    ["a Secret with a type keeps it", "Secret", { type: "x" }, { type: "x" }],
    [
      "Endpoints speak TCP",
      "Endpoints",
      { subsets: [{ ports: [{ port: 1 }, { port: 1, protocol: "UDP" }] }] },
      { subsets: [{ ports: [{ protocol: "TCP" }, { protocol: "UDP" }] }] },
    ],
    ["a Namespace is active", "Namespace", {}, { status: { phase: "Active" } }],
    [
      "a Namespace that goes stays so",
      "Namespace",
      { status: { phase: "Terminating" } },
      { status: { phase: "Terminating" } },
    ],
    [
      "a Node gives away all it has",
      "Node",
      { status: { capacity: { cpu: "2", memory: "1u" } } },
      { status: { capacity: { cpu: "2", memory: "1m" }, allocatable: { cpu: "2", memory: "1m" } } },
    ],
    [
      "a Node gives away what it says",
      "Node",
      { status: { capacity: { cpu: "2", memory: "1Gi" }, allocatable: { cpu: "1" } } },
      { status: { allocatable: { cpu: "1" } } },
    ],
    [
      "a ResourceQuota is rounded",
      "ResourceQuota",
      { spec: { hard: { cpu: "1u" } }, status: { hard: { cpu: "1u" }, used: { cpu: "1u" } } },
      { spec: { hard: { cpu: "1m" } }, status: { hard: { cpu: "1m" }, used: { cpu: "1m" } } },
    ],
    [
      "a LimitRange for containers derives what it does not say",
      "LimitRange",
      {
        spec: {
          limits: [
            { type: "Container", max: { cpu: "4" }, min: { cpu: "1", memory: "1u" }, default: { disk: "9" } },
          ],
        },
      },
      {
        spec: {
          limits: [
            {
              default: { cpu: "4", disk: "9" },
              defaultRequest: { cpu: "4", disk: "9", memory: "1m" },
              max: { cpu: "4" },
              min: { cpu: "1", memory: "1m" },
            },
          ],
        },
      },
    ],
    [
      "a LimitRange for containers keeps what it says",
      "LimitRange",
      {
        spec: {
          limits: [
            { type: "Container", max: { cpu: "4" }, default: { cpu: "2" }, defaultRequest: { cpu: "1" } },
          ],
        },
      },
      { spec: { limits: [{ default: { cpu: "2" }, defaultRequest: { cpu: "1" } }] } },
    ],
  ])("%s", (_, kind, sent, expected) => expect(defaulted(`v1/${kind}`, sent)).toMatchObject(expected));

  test("a LimitRange for pods derives nothing", () => {
    const range = defaulted("v1/LimitRange", { spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } });
    expect(range["spec"]).toEqual({ limits: [{ type: "Pod", max: { cpu: "1" } }] });
  });

  test("a Node without a status has none", () => {
    expect(defaulted("v1/Node", {})).not.toHaveProperty("status.allocatable");
  });
});

describe("a ReplicationController", () => {
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "x" }] } };

  test("selects and is labelled as its pods are", () => {
    expect(defaulted("v1/ReplicationController", { spec: { template } })).toMatchObject({
      metadata: { labels: { a: "b" } },
      spec: { replicas: 1, selector: { a: "b" }, template: { spec: { restartPolicy: "Always" } } },
    });
  });

  test("keeps what it says", () => {
    const sent = { metadata: { labels: { x: "y" } }, spec: { replicas: 0, selector: { c: "d" }, template } };
    expect(defaulted("v1/ReplicationController", sent)).toMatchObject({
      metadata: { labels: { x: "y" } },
      spec: { replicas: 0, selector: { c: "d" } },
    });
  });

  test("may have no template", () => {
    expect(defaulted("v1/ReplicationController", {})["spec"]).toEqual({ replicas: 1 });
  });
});

test.each<[kind: string, sent: JsonObject, expected: JsonObject, release?: string]>([
  ["scheduling.k8s.io/v1/PriorityClass", {}, { preemptionPolicy: "PreemptLowerPriority" }],
  ["scheduling.k8s.io/v1/PriorityClass", { preemptionPolicy: "Never" }, { preemptionPolicy: "Never" }],
  ["authentication.k8s.io/v1/TokenRequest", {}, { spec: { expirationSeconds: 3600 } }],
  [
    "apiregistration.k8s.io/v1/APIService",
    { spec: { service: { name: "s" } } },
    { spec: { service: { port: 443 } } },
  ],
  ["policy/v1beta1/PodSecurityPolicy", {}, { spec: { allowPrivilegeEscalation: true } }, "1.24"],
  [
    "auditregistration.k8s.io/v1alpha1/AuditSink",
    {},
    { spec: { webhook: { throttle: { qps: 10, burst: 15 } } } },
    "1.18",
  ],
])("a %s of %j is %j", (kind, sent, expected, release) => {
  expect(defaulted(kind, sent, release)).toMatchObject(expected);
});
