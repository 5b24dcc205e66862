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
      ["a null selector", { selector: null }],
      ["an invalid key in its selector", { selector: { "No=Eq": "b" } }, "spec.selector"],
      ["no ports", { ports: null }, "spec.ports"],
      ["no ports and no address", { ports: null, clusterIP: "None" }],
      [
        "two ports of which one has no name",
        { ports: [{ name: "p", port: 1 }, { port: 2 }] },
        "spec.ports[1].name",
      ],
      ["a port name in upper case", { ports: [{ name: "INVALID", port: 1 }] }, "spec.ports[0].name"],
      [
        "an unknown protocol",
        { ports: [{ name: "p", port: 1, protocol: "INVALID" }] },
        "spec.ports[0].protocol",
      ],
      ["the protocol SCTP", { ports: [{ name: "p", port: 1, protocol: "SCTP" }] }],
      ["a cluster IP that is no address", { clusterIP: "invalid" }, "spec.clusterIPs[0]"],
      ["port 0", { ports: [{ port: 0 }] }, "spec.ports[0].port"],
      ["port 65536", { ports: [{ port: 65536 }] }, "spec.ports[0].port"],
      ["target port 65536", { ports: [{ port: 1, targetPort: 65536 }] }, "spec.ports[0].targetPort"],
      ["a named target port", { ports: [{ port: 1, targetPort: "http" }] }],
      [
        "an invalid name as target port",
        { ports: [{ port: 1, targetPort: "http_" }] },
        "spec.ports[0].targetPort",
      ],
      [
        "a target port name that is too long",
        { ports: [{ port: 1, targetPort: letters(16) }] },
        "spec.ports[0].targetPort",
      ],
      [
        "no address and a target port other than the port",
        { clusterIP: "None", ports: [{ port: 1, targetPort: 2 }] },
      ],
      ["the external IP 127.0.0.1", { externalIPs: ["127.0.0.1"] }, "spec.externalIPs[0]"],
      ["the external IP 0.0.0.0", { externalIPs: ["0.0.0.0"] }, "spec.externalIPs[0]"],
      ["the external IP myhost.mydomain", { externalIPs: ["myhost.mydomain"] }, "spec.externalIPs[0]"],
      ["the external IP 169.254.1.1", { externalIPs: ["169.254.1.1"] }, "spec.externalIPs[0]"],
      ["the external IP 224.0.0.1", { externalIPs: ["224.0.0.1"] }, "spec.externalIPs[0]"],
      ["the external IP ::1", { externalIPs: ["::1"] }, "spec.externalIPs[0]"],
      ["the external IP ::", { externalIPs: ["::"] }, "spec.externalIPs[0]"],
      [
        "two ports of one name",
        {
          ports: [
            { name: "p", port: 1 },
            { name: "p", port: 2 },
          ],
        },
        "spec.ports[1].name",
      ],
      [
        "a load balancer of TCP and UDP",
        {
          type: "LoadBalancer",
          ports: [
            { name: "p", port: 1 },
            { name: "q", port: 2, protocol: "UDP" },
          ],
        },
      ],
      [
        "one port twice",
        {
          ports: [
            { name: "p", port: 1 },
            { name: "q", port: 1 },
          ],
        },
        "spec.ports[1]",
      ],
      [
        "one port for two protocols",
        {
          ports: [
            { name: "p", port: 1 },
            { name: "q", port: 1, protocol: "UDP" },
          ],
        },
      ],
      [
        "one node port twice",
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
        "one node port for two protocols",
        {
          type: "NodePort",
          ports: [
            { name: "p", port: 1, nodePort: 30001 },
            { name: "q", port: 2, protocol: "UDP", nodePort: 30001 },
          ],
        },
        "spec.ports[1].nodePort",
      ],
      [
        "a node port without the type NodePort",
        { ports: [{ name: "p", port: 1, nodePort: 30001 }] },
        "spec.ports[0].nodePort",
      ],
      [
        "a load balancer for the port of kubelets",
        { type: "LoadBalancer", ports: [{ name: "p", port: 10250 }] },
        "spec.ports[0]",
      ],
      [
        "source ranges in an annotation",
        { type: "LoadBalancer" },
        undefined,
        { annotations: { [sourceRanges]: "1.2.3.0/24,  5.6.0.0/16" } },
      ],
      [
        "an empty annotation of source ranges",
        { type: "LoadBalancer" },
        undefined,
        { annotations: { [sourceRanges]: "" } },
      ],
      [
        "a host name in the annotation of source ranges",
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
      [
        "source ranges but no load balancer",
        { loadBalancerSourceRanges: ["1.2.3.0/24"] },
        "spec.LoadBalancerSourceRanges",
      ],
      [
        "ranges blank",
        { type: "LoadBalancer", loadBalancerSourceRanges: ["   "] },
        "spec.LoadBalancerSourceRanges[0]",
      ],
      ["source ranges with blanks", { type: "LoadBalancer", loadBalancerSourceRanges: [" 1.2.3.0/24 "] }],
      [
        "an external name",
        { type: "ExternalName", externalName: "foo.bar.example.com", ports: null, selector: null },
      ],
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
      ["an invalid external name", { type: "ExternalName", externalName: "-123" }, "spec.externalName"],
      ["an external name that ends in a dot", { type: "ExternalName", externalName: "foo.bar." }],
      ["an empty external name", { type: "ExternalName" }, "spec.externalName"],
      ["a load balancer without address", { type: "LoadBalancer", clusterIP: "None" }, "spec.clusterIPs[0]"],
      ["a node port without address", { type: "NodePort", clusterIP: "None" }, "spec.clusterIPs[0]"],
      [
        "an unknown external traffic policy",
        { type: "LoadBalancer", externalTrafficPolicy: "invalid" },
        "spec.externalTrafficPolicy",
      ],
      [
        "an external traffic policy but no external traffic",
        { externalTrafficPolicy: "Local" },
        "spec.externalTrafficPolicy",
      ],
      [
        "an external traffic policy and external IPs",
        { externalTrafficPolicy: "Local", externalIPs: ["1.2.3.4"] },
      ],
      [
        "hcnp neg",
        { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: -1 },
        "spec.healthCheckNodePort",
      ],
      [
        "a health check node port",
        { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 31100 },
      ],
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
      ["an unknown internal traffic policy", { internalTrafficPolicy: "Q" }, "spec.internalTrafficPolicy"],
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
      ["an unknown session affinity", { sessionAffinity: "Q" }, "spec.sessionAffinity"],
      ["a load balancer class", { type: "LoadBalancer", loadBalancerClass: "test.com/test" }],
      [
        "an invalid load balancer class",
        { type: "LoadBalancer", loadBalancerClass: "Bad/Te_st/x" },
        "spec.loadBalancerClass",
      ],
      [
        "a load balancer class but no load balancer",
        { loadBalancerClass: "test.com/test" },
        "spec.loadBalancerClass",
      ],
      [
        "node ports for no load balancer",
        { allocateLoadBalancerNodePorts: true },
        "spec.allocateLoadBalancerNodePorts",
      ],
      ["a load balancer without node ports", { type: "LoadBalancer", allocateLoadBalancerNodePorts: false }],
      ["an application protocol", { ports: [{ port: 1, appProtocol: "example.com/x" }] }],
      [
        "an invalid application protocol",
        { ports: [{ port: 1, appProtocol: "@x" }] },
        "spec.ports[0].appProtocol",
      ],
      ["a load balancer IP that is no address", { loadBalancerIP: "bogus" }],
      ["an unknown IP family policy", { ipFamilyPolicy: "Q" }, "spec.ipFamilyPolicy"],
      ["an unknown IP family", { ipFamilies: ["Q"] }, "spec.ipFamilies[0]"],
      [
        "ipFamilies dup",
        { ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv4", "IPv4"] },
        "spec.ipFamilies[1]",
      ],
      ["a traffic distribution", { trafficDistribution: "PreferClose" }],
      ["an unknown traffic distribution", { trafficDistribution: "Q" }, "spec.trafficDistribution"],
      [
        "a cluster IP other than the first of its cluster IPs",
        { clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.8"] },
        "spec.clusterIPs",
      ],
      ["cluster IPs but no cluster IP", { clusterIPs: ["10.96.0.8"] }, "spec.clusterIPs"],
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
      ["valid fields", [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 1 }] }]],
      ["no addresses", [{ ports: [{ port: 1 }] }], "subsets[0]"],
      ["no ports", [{ addresses: [{ ip: "10.0.0.1" }] }]],
      [
        "an invalid address",
        [{ addresses: [{ ip: "x" }], ports: [{ port: 1 }] }],
        "subsets[0].addresses[0].ip",
      ],
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
        "an invalid port name",
        [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 1, name: "----" }] }],
        "subsets[0].ports[0].name",
      ],
      [
        "an invalid host name",
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
      ["valid fields", {}],
      ["no address type", { addressType: "" }, "addressType"],
      ["an unknown address type", { addressType: "IP" }, "addressType"],
      [
        "an IPv6 address among IPv4 addresses",
        { endpoints: [{ addresses: ["fe80::1"] }] },
        "endpoints[0].addresses",
      ],
      ["a loopback address", { endpoints: [{ addresses: ["127.0.0.1"] }] }, "endpoints[0].addresses[0]"],
      ["a domain name as address", { addressType: "FQDN", endpoints: [{ addresses: ["example.com"] }] }],
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
      ["an invalid port name", { ports: [{ name: "-x", port: 1 }] }, "ports[0].name"],
      ["an unknown protocol", { ports: [{ name: "x", protocol: "foo" }] }, "ports[0].protocol"],
      ["port 0", { ports: [{ name: "x", port: 0 }] }],
      [
        "an invalid application protocol",
        { ports: [{ name: "x", port: 1, appProtocol: "--" }] },
        "ports[0].appProtocol",
      ],
      [
        "20001 ports",
        { ports: Array.from({ length: 20001 }, (_, i) => ({ name: `p${i}`, port: 1 })) },
        "ports",
      ],
      [
        "an invalid host name",
        { endpoints: [{ addresses: ["10.0.0.1"], hostname: "A_" }] },
        "endpoints[0].hostname",
      ],
      [
        "hostname upper",
        { endpoints: [{ addresses: ["10.0.0.1"], hostname: "ABC" }] },
        "endpoints[0].hostname",
      ],
      [
        "an invalid node name",
        { endpoints: [{ addresses: ["10.0.0.1"], nodeName: "A_" }] },
        "endpoints[0].nodeName",
      ],
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
