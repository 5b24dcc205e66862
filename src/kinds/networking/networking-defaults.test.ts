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
    "a NetworkPolicy without egress rules is of type Ingress",
    "networking.k8s.io/v1/NetworkPolicy",
    {},
    { spec: { policyTypes: ["Ingress"] } },
  ],
  [
    "a NetworkPolicy with egress rules is of type Ingress and Egress",
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
    "a NetworkPolicy keeps the types that it sets",
    "networking.k8s.io/v1/NetworkPolicy",
    { spec: { policyTypes: ["Egress"] } },
    { spec: { policyTypes: ["Egress"] } },
  ],
  [
    "the parameters of an IngressClass have the scope Cluster",
    "networking.k8s.io/v1/IngressClass",
    { spec: { parameters: { kind: "K", name: "n" } } },
    { spec: { parameters: { scope: "Cluster" } } },
  ],
  [
    "an Ingress of networking.k8s.io/v1beta1 has paths of type ImplementationSpecific",
    "networking.k8s.io/v1beta1/Ingress",
    { spec },
    { spec: filledPaths },
    "1.20",
  ],
  [
    "an Ingress of extensions/v1beta1 has paths of type ImplementationSpecific",
    "extensions/v1beta1/Ingress",
    { spec },
    { spec: filledPaths },
    "1.20",
  ],
])("%s", (_, kind, sent, expected, release) => {
  expect(defaulted(kind, sent, release)).toMatchObject(expected);
});

test("an Ingress of networking.k8s.io/v1 has no default for the type of a path", () => {
  const sent = { spec: { rules: [{ http: { paths: [{ path: "/" }] } }] } };
  expect(defaulted("networking.k8s.io/v1/Ingress", sent)).toMatchObject({
    spec: { rules: [{ http: { paths: [{ pathType: null }] } }] },
  });
});

test("an IngressClass without parameters stays without", () => {
  expect(defaulted("networking.k8s.io/v1/IngressClass", { spec: {} })["spec"]).toEqual({});
});
