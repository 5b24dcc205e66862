import { expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

const paths = [{ path: "/" }, { path: "/x", pathType: "Exact" }];
const spec = { rules: [{ host: "a" }, { http: { paths } }] };
const filledPaths = {
  rules: [
    { host: "a" },
    { http: { paths: [{ pathType: "ImplementationSpecific" }, { pathType: "Exact" }] } },
  ],
};

test.each<[title: string, kind: string, sent: JsonObject, expected: JsonObject, release?: string]>([
  [
    "a NetworkPolicy is for what comes in",
    "networking.k8s.io/v1/NetworkPolicy",
    {},
    { spec: { policyTypes: ["Ingress"] } },
  ],
  [
    "a NetworkPolicy with egress rules is for what goes out, too",
    "networking.k8s.io/v1/NetworkPolicy",
    { spec: { egress: [{ ports: [{ port: 1 }] }], ingress: [{ ports: [{}, { protocol: "UDP" }] }] } },
    {
      spec: {
        policyTypes: ["Ingress", "Egress"],
        egress: [{ ports: [{ protocol: "TCP" }] }],
        ingress: [{ ports: [{ protocol: "TCP" }, { protocol: "UDP" }] }],
      },
    },
  ],
  [
    "a NetworkPolicy is for what it says",
    "networking.k8s.io/v1/NetworkPolicy",
    { spec: { policyTypes: ["Egress"] } },
    { spec: { policyTypes: ["Egress"] } },
  ],
  [
    "an IngressClass has parameters of the cluster",
    "networking.k8s.io/v1/IngressClass",
    { spec: { parameters: { kind: "K", name: "n" } } },
    { spec: { parameters: { scope: "Cluster" } } },
  ],
  [
    "an EndpointSlice has nameless TCP ports",
    "discovery.k8s.io/v1/EndpointSlice",
    { ports: [{ port: 1 }, { name: "x", protocol: "UDP" }] },
    {
      ports: [
        { name: "", protocol: "TCP" },
        { name: "x", protocol: "UDP" },
      ],
    },
  ],
  [
    "an Ingress of networking.k8s.io/v1beta1",
    "networking.k8s.io/v1beta1/Ingress",
    { spec },
    { spec: filledPaths },
    "1.20",
  ],
  ["an Ingress of extensions/v1beta1", "extensions/v1beta1/Ingress", { spec }, { spec: filledPaths }, "1.20"],
])("%s", (_, kind, sent, expected, release) => {
  expect(defaulted(kind, sent, release)).toMatchObject(expected);
});

test("an Ingress of networking.k8s.io/v1 has to say how paths are meant", () => {
  const sent = { spec: { rules: [{ http: { paths: [{ path: "/" }] } }] } };
  expect(defaulted("networking.k8s.io/v1/Ingress", sent)).toMatchObject({
    spec: { rules: [{ http: { paths: [{ pathType: null }] } }] },
  });
});

test("an IngressClass without parameters gets none", () => {
  expect(defaulted("networking.k8s.io/v1/IngressClass", { spec: {} })["spec"]).toEqual({});
});
