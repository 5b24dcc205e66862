import type { Statement } from "../statement.ts";
import { kindStatements, letters } from "./kind-cases.ts";

const networking = "/apis/networking.k8s.io/v1";
const be = { service: { name: "s", port: { number: 80 } } };

function rule(path: object, host?: string): object {
  const paths = [{ path: "/x", pathType: "Prefix", backend: be, ...path }];
  return { rules: [{ ...(host !== undefined && { host }), http: { paths } }] };
}

export const networkingStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a NetworkPolicy",
      source: "kubernetes, pkg/apis/networking/validation/validation_test.go, TestValidateNetworkPolicy",
      target: `${networking}/namespaces/default/networkpolicies`,
      body: (changes) => ({ spec: changes }),
    },
    [
      ["empty", { podSelector: {} }],
      ["no selector", {}],
      ["from both", { podSelector: {}, ingress: [{ from: [{ podSelector: {}, namespaceSelector: {} }] }] }],
      ["from empty peer", { podSelector: {}, ingress: [{ from: [{}] }] }, "spec.ingress[0].from[0]"],
      [
        "ipblock+pod",
        { podSelector: {}, ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: "1.2.3.0/24" } }] }] },
        "spec.ingress[0].from[0]",
      ],
      [
        "ipblock no cidr",
        { podSelector: {}, ingress: [{ from: [{ ipBlock: { except: ["1.2.3.0/24"] } }] }] },
        "spec.ingress[0].from[0].ipBlock.cidr",
      ],
      [
        "ipblock except outside",
        {
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr: "1.2.3.0/24", except: ["2.2.3.0/28"] } }] }],
        },
        "spec.ingress[0].from[0].ipBlock.except[0]",
      ],
      [
        "ipblock except equal",
        {
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr: "1.2.3.0/24", except: ["1.2.3.0/24"] } }] }],
        },
        "spec.ingress[0].from[0].ipBlock.except[0]",
      ],
      [
        "ipblock except wider",
        {
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr: "1.2.3.0/24", except: ["1.2.0.0/16"] } }] }],
        },
        "spec.ingress[0].from[0].ipBlock.except[0]",
      ],
      [
        "ipblock v6",
        {
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr: "fd00:192:168::/48", except: ["fd00:192:168:3::/64"] } }] }],
        },
      ],
      ["port 0", { podSelector: {}, ingress: [{ ports: [{ port: 0 }] }] }, "spec.ingress[0].ports[0].port"],
      ["port proto only", { podSelector: {}, ingress: [{ ports: [{ protocol: "UDP" }] }] }],
      [
        "port bad proto",
        { podSelector: {}, ingress: [{ ports: [{ protocol: "ICMP", port: 80 }] }] },
        "spec.ingress[0].ports[0].protocol",
      ],
      [
        "port name bad",
        { podSelector: {}, ingress: [{ ports: [{ port: "!@" }] }] },
        "spec.ingress[0].ports[0].port",
      ],
      ["endPort", { podSelector: {}, egress: [{ ports: [{ port: 32000, endPort: 32768 }] }] }],
      [
        "endPort less",
        { podSelector: {}, egress: [{ ports: [{ port: 32000, endPort: 31000 }] }] },
        "spec.egress[0].ports[0].endPort",
      ],
      [
        "endPort name",
        { podSelector: {}, egress: [{ ports: [{ port: "dns", endPort: 31000 }] }] },
        "spec.egress[0].ports[0].endPort",
      ],
      [
        "endPort no port",
        { podSelector: {}, egress: [{ ports: [{ endPort: 31000 }] }] },
        "spec.egress[0].ports[0].endPort",
      ],
      [
        "endPort 65537",
        { podSelector: {}, egress: [{ ports: [{ port: 32000, endPort: 65537 }] }] },
        "spec.egress[0].ports[0].endPort",
      ],
      ["types bad", { podSelector: {}, policyTypes: ["foo"] }, "spec.policyTypes[0]"],
      ["types 3", { podSelector: {}, policyTypes: ["Ingress", "Egress", "Egress"] }, "spec.policyTypes"],
      ["types twice", { podSelector: {}, policyTypes: ["Ingress", "Ingress"] }],
    ],
  ),
  ...kindStatements(
    {
      subject: "an Ingress",
      source: "kubernetes, pkg/apis/networking/validation/validation_test.go, TestValidateIngress",
      target: `${networking}/namespaces/default/ingresses`,
      body: (changes) => ({ spec: changes }),
    },
    [
      ["empty", {}, "spec"],
      ["default", { defaultBackend: be }],
      ["no pathType", rule({ pathType: undefined }), "spec.rules[0].http.paths[0].pathType"],
      ["rel path", rule({ path: "x" }), "spec.rules[0].http.paths[0].path"],
      ["no path prefix", rule({ path: undefined }), "spec.rules[0].http.paths[0].path"],
      ["no path impl", rule({ path: undefined, pathType: "ImplementationSpecific" })],
      [
        "impl rel",
        rule({ path: "x", pathType: "ImplementationSpecific" }),
        "spec.rules[0].http.paths[0].path",
      ],
      ["bad pathType", rule({ pathType: "Q" }), "spec.rules[0].http.paths[0].pathType"],
      ["path /foo//bar", rule({ path: "/foo//bar" }), "spec.rules[0].http.paths[0].path"],
      ["path /foo/./bar", rule({ path: "/foo/./bar" }), "spec.rules[0].http.paths[0].path"],
      ["path /foo/../bar", rule({ path: "/foo/../bar" }), "spec.rules[0].http.paths[0].path"],
      ["path /foo%2fbar", rule({ path: "/foo%2fbar" }), "spec.rules[0].http.paths[0].path"],
      ["path /foo%2Fbar", rule({ path: "/foo%2Fbar" }), "spec.rules[0].http.paths[0].path"],
      ["path /foo/..", rule({ path: "/foo/.." }), "spec.rules[0].http.paths[0].path"],
      ["path /foo/.", rule({ path: "/foo/." }), "spec.rules[0].http.paths[0].path"],
      ["regex path", rule({ path: "/x/[a", pathType: "ImplementationSpecific" })],
      ["host port", rule({}, "foo:80"), "spec.rules[0].host"],
      ["host ip", rule({}, "127.0.0.1"), "spec.rules[0].host"],
      ["host wildcard", rule({}, "*.foo.com")],
      ["host bad wildcard", rule({}, "foo.*.com"), "spec.rules[0].host"],
      ["host *", rule({}, "*"), "spec.rules[0].host"],
      ["host upper", rule({}, "FOO.com"), "spec.rules[0].host"],
      [
        "backend none",
        { rules: [{ http: { paths: [{ path: "/", pathType: "Prefix", backend: {} }] } }] },
        "spec.rules[0].http.paths[0].backend",
      ],
      [
        "backend both",
        { defaultBackend: { ...be, resource: { kind: "X", name: "n" } } },
        "spec.defaultBackend",
      ],
      ["backend resource", { defaultBackend: { resource: { apiGroup: "a.b", kind: "X", name: "n" } } }],
      [
        "backend port both",
        { defaultBackend: { service: { name: "s", port: { name: "p", number: 80 } } } },
        "spec.defaultBackend",
      ],
      ["backend port none", { defaultBackend: { service: { name: "s" } } }, "spec.defaultBackend"],
      [
        "backend name bad",
        { defaultBackend: { service: { name: "S_", port: { number: 1 } } } },
        "spec.defaultBackend.service.name",
      ],
      ["no paths", { rules: [{ http: { paths: [] } }] }, "spec.rules[0].http.paths"],
      ["rule no http", { rules: [{ host: "a.b" }] }],
      ["tls wildcard", { defaultBackend: be, tls: [{ hosts: ["*.a.b"], secretName: "x" }] }],
      ["tls bad host", { defaultBackend: be, tls: [{ hosts: ["a.*.b"] }] }, "spec.tls[0].hosts[0]"],
      ["tls bad secret", { defaultBackend: be, tls: [{ secretName: "X y" }] }, "spec.tls[0].secretName"],
      [
        "class and annotation",
        { defaultBackend: be, ingressClassName: "a" },
        "annotations.kubernetes.io/ingress.class",
        { annotations: { "kubernetes.io/ingress.class": "b" } },
      ],
      ["class bad", { defaultBackend: be, ingressClassName: "A_" }, "spec.ingressClassName"],
    ],
  ),
  ...kindStatements(
    {
      subject: "an IngressClass",
      source: "kubernetes, pkg/apis/networking/validation/validation_test.go, TestValidateIngressClass",
      target: `${networking}/ingressclasses`,
      body: (changes) => ({ spec: changes }),
    },
    [
      ["no controller", {}, "spec.controller"],
      ["ok", { controller: "foo.co/bar" }],
      ["long", { controller: `foo.co/${letters(244)}` }, "spec.controller"],
      ["250", { controller: `foo.co/${letters(243)}` }],
      ["one part", { controller: "foo" }, "spec.controller"],
      [
        "params ok",
        {
          controller: "foo.co/bar",
          parameters: { apiGroup: "x.co", kind: "foo", name: "n", scope: "Cluster" },
        },
      ],
      ["params default scope", { controller: "foo.co/bar", parameters: { kind: "foo", name: "n" } }],
      [
        "params no name",
        { controller: "foo.co/bar", parameters: { kind: "foo", scope: "Cluster" } },
        "spec.parameters.name",
      ],
      [
        "params bad group",
        {
          controller: "foo.co/bar",
          parameters: { apiGroup: "x.", kind: "foo", name: "n", scope: "Cluster" },
        },
        "spec.parameters.apiGroup",
      ],
      [
        "params ns on cluster",
        {
          controller: "foo.co/bar",
          parameters: { kind: "foo", name: "n", scope: "Cluster", namespace: "x" },
        },
        "spec.parameters.namespace",
      ],
      [
        "params ns missing",
        { controller: "foo.co/bar", parameters: { kind: "foo", name: "n", scope: "Namespace" } },
        "spec.parameters.namespace",
      ],
      [
        "params bad scope",
        { controller: "foo.co/bar", parameters: { kind: "foo", name: "n", scope: "Bad" } },
        "spec.parameters.scope",
      ],
      [
        "params name slash",
        { controller: "foo.co/bar", parameters: { kind: "foo/", name: "n", scope: "Cluster" } },
        "spec.parameters.kind",
      ],
    ],
  ),
];
