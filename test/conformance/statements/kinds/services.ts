import type { Statement } from "../statement.ts";
import { core, kindStatements, letters } from "./kind-cases.ts";

const sourceRanges = "service.beta.kubernetes.io/load-balancer-source-ranges";

export const servicesStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a Service",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateServiceCreate",
      target: `${core}/services`,
      body: (changes) => ({ spec: { ports: [{ name: "p", port: 8675 }], selector: { k: "v" }, ...changes } }),
    },
    [
      ["nil selector", { selector: null }],
      ["bad selector", { selector: { "No=Eq": "b" } }, "spec.selector"],
      ["missing ports", { ports: null }, "spec.ports"],
      ["missing ports headless", { ports: null, clusterIP: "None" }],
      ["empty port1 name", { ports: [{ name: "p", port: 1 }, { port: 2 }] }, "spec.ports[1].name"],
      ["bad port name", { ports: [{ name: "INVALID", port: 1 }] }, "spec.ports[0].name"],
      ["bad proto", { ports: [{ name: "p", port: 1, protocol: "INVALID" }] }, "spec.ports[0].protocol"],
      ["sctp", { ports: [{ name: "p", port: 1, protocol: "SCTP" }] }],
      ["invalid cluster ip", { clusterIP: "invalid" }, "spec.clusterIPs[0]"],
      ["port 0", { ports: [{ port: 0 }] }, "spec.ports[0].port"],
      ["port 65536", { ports: [{ port: 65536 }] }, "spec.ports[0].port"],
      ["target 65536", { ports: [{ port: 1, targetPort: 65536 }] }, "spec.ports[0].targetPort"],
      ["target string", { ports: [{ port: 1, targetPort: "http" }] }],
      ["target bad string", { ports: [{ port: 1, targetPort: "http_" }] }, "spec.ports[0].targetPort"],
      ["target long string", { ports: [{ port: 1, targetPort: letters(16) }] }, "spec.ports[0].targetPort"],
      ["headless other target", { clusterIP: "None", ports: [{ port: 1, targetPort: 2 }] }],
      ["externalIP 127.0.0.1", { externalIPs: ["127.0.0.1"] }, "spec.externalIPs[0]"],
      ["externalIP 0.0.0.0", { externalIPs: ["0.0.0.0"] }, "spec.externalIPs[0]"],
      ["externalIP myhost.mydomain", { externalIPs: ["myhost.mydomain"] }, "spec.externalIPs[0]"],
      ["externalIP 169.254.1.1", { externalIPs: ["169.254.1.1"] }, "spec.externalIPs[0]"],
      ["externalIP 224.0.0.1", { externalIPs: ["224.0.0.1"] }, "spec.externalIPs[0]"],
      ["externalIP ::1", { externalIPs: ["::1"] }, "spec.externalIPs[0]"],
      ["externalIP ::", { externalIPs: ["::"] }, "spec.externalIPs[0]"],
      [
        "dup names",
        {
          ports: [
            { name: "p", port: 1 },
            { name: "p", port: 2 },
          ],
        },
        "spec.ports[1].name",
      ],
      [
        "lb mixed",
        {
          type: "LoadBalancer",
          ports: [
            { name: "p", port: 1 },
            { name: "q", port: 2, protocol: "UDP" },
          ],
        },
      ],
      [
        "dup port proto",
        {
          ports: [
            { name: "p", port: 1 },
            { name: "q", port: 1 },
          ],
        },
        "spec.ports[1]",
      ],
      [
        "dup port other proto",
        {
          ports: [
            { name: "p", port: 1 },
            { name: "q", port: 1, protocol: "UDP" },
          ],
        },
      ],
      [
        "dup nodeports",
        {
          type: "NodePort",
          ports: [
            { name: "p", port: 1, nodePort: 30001 },
            { name: "q", port: 2, nodePort: 30001 },
          ],
        },
        "spec.ports[1].nodePort",
      ],
      [
        "dup nodeports diff proto",
        {
          type: "NodePort",
          ports: [
            { name: "p", port: 1, nodePort: 30001 },
            { name: "q", port: 2, protocol: "UDP", nodePort: 30001 },
          ],
        },
        "spec.ports[1].nodePort",
      ],
      ["clusterip nodeport", { ports: [{ name: "p", port: 1, nodePort: 30001 }] }, "spec.ports[0].nodePort"],
      ["lb 10250", { type: "LoadBalancer", ports: [{ name: "p", port: 10250 }] }, "spec.ports[0]"],
      [
        "ranges annot",
        { type: "LoadBalancer" },
        undefined,
        { annotations: { [sourceRanges]: "1.2.3.0/24,  5.6.0.0/16" } },
      ],
      ["ranges annot empty", { type: "LoadBalancer" }, undefined, { annotations: { [sourceRanges]: "" } }],
      [
        "ranges annot host",
        {},
        "metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]",
        { annotations: { [sourceRanges]: "foo.bar" } },
      ],
      [
        "ranges annot bad",
        { type: "LoadBalancer" },
        "metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]",
        { annotations: { [sourceRanges]: "1.2.3.4/33" } },
      ],
      ["ranges non lb", { loadBalancerSourceRanges: ["1.2.3.0/24"] }, "spec.LoadBalancerSourceRanges"],
      [
        "ranges blank",
        { type: "LoadBalancer", loadBalancerSourceRanges: ["   "] },
        "spec.LoadBalancerSourceRanges[0]",
      ],
      ["ranges with blanks", { type: "LoadBalancer", loadBalancerSourceRanges: [" 1.2.3.0/24 "] }],
      ["extname", { type: "ExternalName", externalName: "foo.bar.example.com", ports: null, selector: null }],
      [
        "extname ip",
        { type: "ExternalName", externalName: "foo.bar", clusterIP: "10.96.0.9" },
        "spec.clusterIPs",
      ],
      [
        "extname none",
        { type: "ExternalName", externalName: "foo.bar", clusterIP: "None" },
        "spec.clusterIPs",
      ],
      ["extname bad", { type: "ExternalName", externalName: "-123" }, "spec.externalName"],
      ["extname dot", { type: "ExternalName", externalName: "foo.bar." }],
      ["extname empty", { type: "ExternalName" }, "spec.externalName"],
      ["lb None", { type: "LoadBalancer", clusterIP: "None" }, "spec.clusterIPs[0]"],
      ["np None", { type: "NodePort", clusterIP: "None" }, "spec.clusterIPs[0]"],
      ["etp bad", { type: "LoadBalancer", externalTrafficPolicy: "invalid" }, "spec.externalTrafficPolicy"],
      ["etp clusterip", { externalTrafficPolicy: "Local" }, "spec.externalTrafficPolicy"],
      ["etp clusterip extips", { externalTrafficPolicy: "Local", externalIPs: ["1.2.3.4"] }],
      [
        "hcnp neg",
        { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: -1 },
        "spec.healthCheckNodePort",
      ],
      ["hcnp", { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 31100 }],
      [
        "hcnp cluster",
        { type: "LoadBalancer", externalTrafficPolicy: "Cluster", healthCheckNodePort: 31100 },
        "spec.healthCheckNodePort",
      ],
      [
        "hcnp nodeport",
        { type: "NodePort", externalTrafficPolicy: "Local", healthCheckNodePort: 31100 },
        "spec.healthCheckNodePort",
      ],
      ["itp bad", { internalTrafficPolicy: "Q" }, "spec.internalTrafficPolicy"],
      [
        "affinity timeout neg",
        { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: -1 } } },
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
      ],
      [
        "affinity timeout 0",
        { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
      ],
      [
        "affinity timeout 86400",
        { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 86400 } } },
      ],
      [
        "affinity timeout 86401",
        { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } },
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
      ],
      [
        "affinity none with config",
        { sessionAffinity: "None", sessionAffinityConfig: { clientIP: { timeoutSeconds: 90 } } },
      ],
      ["affinity bad", { sessionAffinity: "Q" }, "spec.sessionAffinity"],
      ["lbclass", { type: "LoadBalancer", loadBalancerClass: "test.com/test" }],
      ["lbclass bad", { type: "LoadBalancer", loadBalancerClass: "Bad/Te_st/x" }, "spec.loadBalancerClass"],
      ["lbclass nonlb", { loadBalancerClass: "test.com/test" }, "spec.loadBalancerClass"],
      ["alloc nonlb", { allocateLoadBalancerNodePorts: true }, "spec.allocateLoadBalancerNodePorts"],
      ["alloc lb false", { type: "LoadBalancer", allocateLoadBalancerNodePorts: false }],
      ["appProtocol", { ports: [{ port: 1, appProtocol: "example.com/x" }] }],
      ["appProtocol bad", { ports: [{ port: 1, appProtocol: "@x" }] }, "spec.ports[0].appProtocol"],
      ["lbIP", { loadBalancerIP: "bogus" }],
      ["ipFamilyPolicy bad", { ipFamilyPolicy: "Q" }, "spec.ipFamilyPolicy"],
      ["ipFamilies bad", { ipFamilies: ["Q"] }, "spec.ipFamilies[0]"],
      [
        "ipFamilies dup",
        { ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv4", "IPv4"] },
        "spec.ipFamilies[1]",
      ],
      ["trafficDistribution", { trafficDistribution: "PreferClose" }],
      ["trafficDistribution bad", { trafficDistribution: "Q" }, "spec.trafficDistribution"],
      ["clusterIPs mismatch", { clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.8"] }, "spec.clusterIPs"],
      ["clusterIPs without clusterIP", { clusterIPs: ["10.96.0.8"] }, "spec.clusterIPs"],
    ],
  ),
  ...kindStatements(
    {
      subject: "Endpoints",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateEndpointsCreate",
      target: `${core}/endpoints`,
      body: (changes) => ({ subsets: changes }),
    },
    [
      ["ok", [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 1 }] }]],
      ["no addresses", [{ ports: [{ port: 1 }] }], "subsets[0]"],
      ["no ports", [{ addresses: [{ ip: "10.0.0.1" }] }]],
      ["ip bad", [{ addresses: [{ ip: "x" }], ports: [{ port: 1 }] }], "subsets[0].addresses[0].ip"],
      [
        "ip loopback",
        [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ port: 1 }] }],
        "subsets[0].addresses[0].ip",
      ],
      [
        "ip linklocal mcast",
        [{ addresses: [{ ip: "224.0.0.1" }], ports: [{ port: 1 }] }],
        "subsets[0].addresses[0].ip",
      ],
      [
        "two ports unnamed",
        [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 1 }, { port: 2, name: "x" }] }],
        "subsets[0].ports[0].name",
      ],
      [
        "port name bad",
        [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 1, name: "----" }] }],
        "subsets[0].ports[0].name",
      ],
      [
        "hostname bad",
        [{ addresses: [{ ip: "10.0.0.1", hostname: "A_" }], ports: [{ port: 1 }] }],
        "subsets[0].addresses[0].hostname",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "an EndpointSlice",
      source: "kubernetes, pkg/apis/discovery/validation/validation_test.go",
      target: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
      body: (changes) => ({
        addressType: "IPv4",
        ports: [{ name: "", protocol: "TCP", port: 80 }],
        endpoints: [{ addresses: ["10.0.0.1"] }],
        ...changes,
      }),
    },
    [
      ["ok", {}],
      ["no type", { addressType: "" }, "addressType"],
      ["bad type", { addressType: "IP" }, "addressType"],
      ["v6 in v4", { endpoints: [{ addresses: ["fe80::1"] }] }, "endpoints[0].addresses"],
      ["loopback", { endpoints: [{ addresses: ["127.0.0.1"] }] }, "endpoints[0].addresses[0]"],
      ["fqdn", { addressType: "FQDN", endpoints: [{ addresses: ["example.com"] }] }],
      [
        "fqdn short",
        { addressType: "FQDN", endpoints: [{ addresses: ["example"] }] },
        "endpoints[0].addresses[0]",
      ],
      ["no addresses", { endpoints: [{ addresses: [] }] }, "endpoints[0].addresses"],
      [
        "101 addresses",
        { endpoints: [{ addresses: Array.from({ length: 101 }, (_, i) => `10.0.0.${i + 1}`) }] },
        "endpoints[0].addresses",
      ],
      [
        "1001 endpoints",
        { endpoints: Array.from({ length: 1001 }, () => ({ addresses: ["10.0.0.1"] })) },
        "endpoints",
      ],
      [
        "dup port name",
        {
          ports: [
            { name: "", port: 1 },
            { name: "", port: 2 },
          ],
        },
        "ports[1].name",
      ],
      ["port name bad", { ports: [{ name: "-x", port: 1 }] }, "ports[0].name"],
      ["port proto bad", { ports: [{ name: "x", protocol: "foo" }] }, "ports[0].protocol"],
      ["port 0", { ports: [{ name: "x", port: 0 }] }],
      ["appProtocol bad", { ports: [{ name: "x", port: 1, appProtocol: "--" }] }, "ports[0].appProtocol"],
      [
        "20001 ports",
        { ports: Array.from({ length: 20001 }, (_, i) => ({ name: `p${i}`, port: 1 })) },
        "ports",
      ],
      ["hostname bad", { endpoints: [{ addresses: ["10.0.0.1"], hostname: "A_" }] }, "endpoints[0].hostname"],
      [
        "hostname upper",
        { endpoints: [{ addresses: ["10.0.0.1"], hostname: "ABC" }] },
        "endpoints[0].hostname",
      ],
      ["nodeName bad", { endpoints: [{ addresses: ["10.0.0.1"], nodeName: "A_" }] }, "endpoints[0].nodeName"],
      [
        "topology 17",
        {
          endpoints: [
            {
              addresses: ["10.0.0.1"],
              deprecatedTopology: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, "v"])),
            },
          ],
        },
      ],
      [
        "topology hostname",
        { endpoints: [{ addresses: ["10.0.0.1"], deprecatedTopology: { "kubernetes.io/hostname": "x" } }] },
      ],
      [
        "hints 9",
        {
          endpoints: [
            {
              addresses: ["10.0.0.1"],
              hints: { forZones: Array.from({ length: 9 }, (_, i) => ({ name: `z${i}` })) },
            },
          ],
        },
        "endpoints[0].hints.forZones",
      ],
      [
        "hints dup",
        { endpoints: [{ addresses: ["10.0.0.1"], hints: { forZones: [{ name: "z" }, { name: "z" }] } }] },
        "endpoints[0].hints.forZones[1].name",
      ],
      [
        "hints bad",
        { endpoints: [{ addresses: ["10.0.0.1"], hints: { forZones: [{ name: "z b" }] } }] },
        "endpoints[0].hints.forZones[0].name",
      ],
    ],
  ),
];
