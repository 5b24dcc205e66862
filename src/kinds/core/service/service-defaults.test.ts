import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

const ports = [{ port: 80 }];

describe("a Service", () => {
  test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
    [
      "has a cluster IP",
      {},
      { type: "ClusterIP", sessionAffinity: "None", internalTrafficPolicy: "Cluster" },
    ],
    [
      "has ports that target themselves",
      {
        ports: [
          ...ports,
          { port: 81, targetPort: 0 },
          { port: 82, targetPort: "" },
          { port: 83, targetPort: "x", protocol: "UDP" },
        ],
      },
      {
        sessionAffinity: "None",
        type: "ClusterIP",
        internalTrafficPolicy: "Cluster",
        ports: [
          { port: 80, protocol: "TCP", targetPort: 80 },
          { port: 81, protocol: "TCP", targetPort: 81 },
          { port: 82, protocol: "TCP", targetPort: 82 },
          { port: 83, protocol: "UDP", targetPort: "x" },
        ],
      },
    ],
    [
      "of type ExternalName has no traffic policies",
      { type: "ExternalName", externalName: "x" },
      { type: "ExternalName", externalName: "x", sessionAffinity: "None" },
    ],
    [
      "of type NodePort has an external traffic policy",
      { type: "NodePort" },
      {
        type: "NodePort",
        sessionAffinity: "None",
        externalTrafficPolicy: "Cluster",
        internalTrafficPolicy: "Cluster",
      },
    ],
    [
      "of type LoadBalancer allocates node ports",
      { type: "LoadBalancer" },
      {
        type: "LoadBalancer",
        sessionAffinity: "None",
        externalTrafficPolicy: "Cluster",
        internalTrafficPolicy: "Cluster",
        allocateLoadBalancerNodePorts: true,
      },
    ],
    [
      "with external IPs has an external traffic policy",
      { externalIPs: ["1.2.3.4"] },
      {
        externalIPs: ["1.2.3.4"],
        type: "ClusterIP",
        sessionAffinity: "None",
        externalTrafficPolicy: "Cluster",
        internalTrafficPolicy: "Cluster",
      },
    ],
    [
      "keeps its traffic policies",
      {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        internalTrafficPolicy: "Local",
        allocateLoadBalancerNodePorts: false,
      },
      {
        type: "LoadBalancer",
        sessionAffinity: "None",
        externalTrafficPolicy: "Local",
        internalTrafficPolicy: "Local",
        allocateLoadBalancerNodePorts: false,
      },
    ],
    ["of an unknown type", { type: "Zed" }, { type: "Zed", sessionAffinity: "None" }],
    [
      "without session affinity drops its configuration",
      { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
      { type: "ClusterIP", sessionAffinity: "None", internalTrafficPolicy: "Cluster" },
    ],
    [
      "has a session affinity timeout of three hours",
      { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: {} } },
      {
        type: "ClusterIP",
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
        internalTrafficPolicy: "Cluster",
      },
    ],
    [
      "keeps its session affinity timeout",
      { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
      {
        type: "ClusterIP",
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
        internalTrafficPolicy: "Cluster",
      },
    ],
  ])("%s", (_, spec, expected) => expect(defaulted("v1/Service", { spec })["spec"]).toEqual(expected));

  test.each([
    ["LoadBalancer", { ip: "1.2.3.4", ipMode: "VIP" }],
    ["NodePort", { ip: "1.2.3.4" }],
  ])("of type %s has ingress %j", (type, expected) => {
    const ingress = [{ ip: "1.2.3.4" }, { hostname: "x" }, { ip: "1.2.3.5", ipMode: "Proxy" }];
    const service = defaulted("v1/Service", { spec: { type }, status: { loadBalancer: { ingress } } });
    expect(service["status"]).toEqual({
      loadBalancer: { ingress: [expected, { hostname: "x" }, { ip: "1.2.3.5", ipMode: "Proxy" }] },
    });
  });
});
