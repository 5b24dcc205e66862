import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const v1 = "/api/v1/namespaces/default";
const services = `${v1}/services`;
const policies = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const zeros = "must not have leading 0s";
const off = { featureGates: { StrictIPCIDRValidation: false } } as const;

const metadata = { name: "a" };
const ports = [{ port: 80 }];
const containers = [{ name: "main", image: "busybox" }];
const service = (spec: object) => ({ metadata, spec: { ports, ...spec } });
const policy = (ipBlock: object) => ({
  metadata,
  spec: { podSelector: {}, ingress: [{ from: [{ ipBlock }] }] },
});
const endpoints = (ip: string) => ({ metadata, subsets: [{ addresses: [{ ip }], ports }] });
const slice = (address: string) => ({ metadata, addressType: "IPv4", endpoints: [{ addresses: [address] }] });

const cases: readonly (readonly [string, string, object, readonly string[]])[] = [
  [
    "external addresses",
    services,
    service({ externalIPs: ["1.2.3.04", "::ffff:1.2.3.4"] }),
    [
      `spec.externalIPs[0]: Invalid value: "1.2.3.04": ${zeros}`,
      'spec.externalIPs[1]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
  ],
  [
    "cluster IPs",
    services,
    service({ clusterIP: "10.96.0.010" }),
    [`spec.clusterIPs[0]: Invalid value: "10.96.0.010": ${zeros}`],
  ],
  [
    "source ranges",
    services,
    service({ type: "LoadBalancer", loadBalancerSourceRanges: [" 10.0.0.1/8", "10.0.0.0/08"] }),
    [
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      'spec.LoadBalancerSourceRanges[1]: Invalid value: "10.0.0.0/08": must not have leading 0s in IP or prefix length',
    ],
  ],
  [
    "Endpoints",
    `${v1}/endpoints`,
    endpoints("1.2.3.04"),
    [`subsets[0].addresses[0].ip: Invalid value: "1.2.3.04": ${zeros}`],
  ],
  [
    "EndpointSlices",
    slices,
    slice("1.2.3.04"),
    [`endpoints[0].addresses[0]: Invalid value: "1.2.3.04": ${zeros}`],
  ],
  [
    "network policies",
    policies,
    policy({ cidr: "10.0.0.1/8", except: ["10.1.1.1/16"] }),
    [
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.1.1.1/16": must not have bits set beyond the prefix length',
    ],
  ],
  [
    "nodes",
    "/api/v1/nodes",
    { metadata, spec: { podCIDRs: ["10.0.0.1/8"], podCIDR: "10.0.0.1/8" } },
    ['spec.podCIDRs[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length'],
  ],
  [
    "pods",
    `${v1}/pods`,
    {
      metadata,
      spec: {
        containers,
        dnsConfig: { nameservers: ["010.0.0.1"] },
        hostAliases: [{ ip: "::ffff:1.2.3.4" }],
      },
    },
    [
      `spec.dnsConfig.nameservers[0]: Invalid value: "010.0.0.1": ${zeros}`,
      'spec.hostAliases[0].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
  ],
];

describe.each(cases)("the strict rules for %s", (_title, path, body, findings) => {
  test("hold from 1.36 on", async () => {
    const send = testClient(quietCluster({ release: "1.36", disableAdmissionPlugins: ["ServiceAccount"] }));
    expect((await send("POST", path, body)).findings).toEqual(findings);
  });

  test("hold in 1.35 with the gate only", async () => {
    const featureGates = { StrictIPCIDRValidation: true };
    const strict = testClient(
      quietCluster({ release: "1.35", disableAdmissionPlugins: ["ServiceAccount"], featureGates }),
    );
    expect((await strict("POST", path, body)).findings).toEqual(findings);
    const lenient = testClient(
      quietCluster({ release: "1.35", disableAdmissionPlugins: ["ServiceAccount"] }),
    );
    expect((await lenient("POST", path, body)).code).toBe(201);
  });

  test("do not hold without the gate", async () => {
    const send = testClient(
      quietCluster({ release: "1.36", disableAdmissionPlugins: ["ServiceAccount"], ...off }),
    );
    expect((await send("POST", path, body)).code).toBe(201);
  });
});

describe("after an upgrade to 1.36", () => {
  const upgraded = async (path: string, body: object) => {
    const cluster = quietCluster({ release: "1.35", disableAdmissionPlugins: ["ServiceAccount"] });
    expect((await testClient(cluster)("POST", path, body)).code).toBe(201);
    await cluster.upgrade("1.36");
    const send = testClient(cluster);
    return (patch: object, subpath = "") => send("PATCH", `${path}/a${subpath}`, patch);
  };

  test("a service keeps its old addresses, wherever they stand", async () => {
    const patch = await upgraded(services, service({ externalIPs: ["1.2.3.04"] }));
    expect((await patch({ spec: { externalIPs: ["5.6.7.8", "1.2.3.04"] } })).code).toBe(200);
    expect((await patch({ spec: { externalIPs: ["1.2.3.04", "5.6.7.08"] } })).findings).toEqual([
      `spec.externalIPs[1]: Invalid value: "5.6.7.08": ${zeros}`,
    ]);
  });

  test("a network policy keeps its old networks", async () => {
    const patch = await upgraded(policies, policy({ cidr: "10.0.0.1/8" }));
    const { spec } = policy({ cidr: "10.0.0.1/8", except: ["10.1.0.0/16"] });
    expect((await patch({ spec })).code).toBe(200);
  });

  test("Endpoints keep their addresses as long as no subset changes", async () => {
    const patch = await upgraded(`${v1}/endpoints`, endpoints("1.2.3.04"));
    expect((await patch({ metadata: { labels: { a: "b" } } })).code).toBe(200);
    expect((await patch({ subsets: [{ addresses: [{ ip: "1.2.3.04" }] }] })).findings).toEqual([
      `subsets[0].addresses[0].ip: Invalid value: "1.2.3.04": ${zeros}`,
    ]);
  });

  test("EndpointSlices keep their addresses as long as no endpoint changes", async () => {
    const patch = await upgraded(slices, slice("1.2.3.04"));
    expect((await patch({ metadata: { labels: { a: "b" } } })).code).toBe(200);
    expect((await patch({ endpoints: [{ addresses: ["1.2.3.04", "1.2.3.5"] }] })).findings).toEqual([
      `endpoints[0].addresses[0]: Invalid value: "1.2.3.04": ${zeros}`,
    ]);
  });

  test("a pod keeps its old addresses", async () => {
    const spec = { containers, hostAliases: [{ ip: "1.2.3.04" }] };
    const patch = await upgraded(`${v1}/pods`, { metadata, spec });
    expect((await patch({ metadata: { labels: { a: "b" } } })).code).toBe(200);
    const status = { podIPs: [{ ip: "010.0.0.1" }], podIP: "010.0.0.1" };
    expect((await patch({ status }, "/status")).findings).toEqual([
      `status.podIPs[0]: Invalid value: "010.0.0.1": ${zeros}`,
    ]);
  });

  test("a service and an Ingress keep the addresses of their load balancers", async () => {
    const balancer = (...ips: readonly string[]) => ({
      status: { loadBalancer: { ingress: ips.map((ip) => ({ ip, ipMode: "VIP" })) } },
    });
    const patch = await upgraded(services, service({ type: "LoadBalancer" }));
    expect((await patch(balancer("1.2.3.04"), "/status")).findings).toEqual([
      `status.loadBalancer.ingress[0].ip: Invalid value: "1.2.3.04": ${zeros}`,
    ]);
    const ingresses = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
    const spec = { defaultBackend: { service: { name: "s", port: { number: 80 } } } };
    const cluster = quietCluster({ release: "1.35" });
    await testClient(cluster)("POST", ingresses, { metadata, spec });
    const of = (ip: string) => ({ status: { loadBalancer: { ingress: [{ ip }] } } });
    expect((await testClient(cluster)("PATCH", `${ingresses}/a/status`, of("1.2.3.04"))).code).toBe(200);
    await cluster.upgrade("1.36");
    const send = testClient(cluster);
    expect((await send("PATCH", `${ingresses}/a/status`, of("1.2.3.04"))).code).toBe(200);
    expect((await send("PATCH", `${ingresses}/a/status`, of("1.2.3.05"))).findings).toEqual([
      `status.loadBalancer.ingress[0].ip: Invalid value: "1.2.3.05": ${zeros}`,
    ]);
  });
});
