import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/namespaces/default/services";
const port = { port: 80 };

function service(spec: object): object {
  return { metadata: { name: "s" }, spec: { ports: [port], ...spec } };
}

const nonStandardIp = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const dualOnly = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
const onlyBalanced = "Forbidden: may only be used when `type` is 'LoadBalancer'";

describe("a new service is refused for", () => {
  test.each<[string, object, readonly string[]]>([
    ["no ports", { ports: [] }, ["spec.ports: Required value"]],
    [
      "an invalid type",
      { type: "Zed" },
      [
        'spec.type: Unsupported value: "Zed": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    ["an invalid external name", { type: "ExternalName" }, ["spec.externalName: Required value"]],
    [
      "fields that an external name does not use",
      {
        type: "ExternalName",
        externalName: "a.b.",
        clusterIP: "1.2.3.4",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
      },
      ["clusterIPs", "ipFamilies", "ipFamilyPolicy"].map(
        (field) => `spec.${field}: Forbidden: may not be set for ExternalName services`,
      ),
    ],
    [
      "node ports without an address",
      { type: "NodePort", clusterIP: "None" },
      ["spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort services"],
    ],
    [
      "ports that share a name",
      {
        ports: [
          { ...port, name: "a" },
          { port: 81, name: "a" },
        ],
      },
      ['spec.ports[1].name: Duplicate value: "a"'],
    ],
    [
      "an invalid protocol",
      { ports: [{ ...port, protocol: "Q" }] },
      ['spec.ports[0].protocol: Unsupported value: "Q": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      "a target that is not a port",
      { ports: [{ ...port, targetPort: 70_000 }] },
      ["spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive"],
    ],
    [
      "a node port of a cluster IP",
      { ports: [{ ...port, nodePort: 30_000 }] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      "an invalid affinity",
      { sessionAffinity: "Q" },
      ['spec.sessionAffinity: Unsupported value: "Q": supported values: "ClientIP", "None"'],
    ],
    [
      "an affinity that is too long",
      { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
      [
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
      ],
    ],
    [
      "an invalid external address",
      { externalIPs: ["zz"] },
      [`spec.externalIPs[0]: Invalid value: "zz": ${nonStandardIp}`],
    ],
    [
      "external addresses of every node",
      { externalIPs: ["0.0.0.0", "127.0.0.1", "169.254.1.1", "224.0.0.1"] },
      [
        'spec.externalIPs[0]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
        'spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[2]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'spec.externalIPs[3]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
    [
      "fields of load balancers",
      {
        allocateLoadBalancerNodePorts: true,
        loadBalancerClass: "a",
        loadBalancerSourceRanges: ["10.0.0.0/8 ", "x"],
      },
      [
        `spec.LoadBalancerSourceRanges: ${onlyBalanced}`,
        'spec.LoadBalancerSourceRanges[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        `spec.allocateLoadBalancerNodePorts: ${onlyBalanced}`,
        `spec.loadBalancerClass: ${onlyBalanced}`,
      ],
    ],
    [
      "a policy for external traffic without external access",
      { externalTrafficPolicy: "Local" },
      [
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      ],
    ],
    [
      "unknown traffic policies",
      { type: "NodePort", externalTrafficPolicy: "Q", internalTrafficPolicy: "R", trafficDistribution: "S" },
      [
        'spec.externalTrafficPolicy: Unsupported value: "Q": supported values: "Cluster", "Local"',
        'spec.internalTrafficPolicy: Unsupported value: "R": supported values: "Cluster", "Local"',
        'spec.trafficDistribution: Unsupported value: "S": supported values: "PreferClose"',
      ],
    ],
    [
      "an unused health check port",
      { healthCheckNodePort: 30_000 },
      [
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      "unconfigured IP families, which hide other errors",
      { ipFamilies: ["IPv6"], sessionAffinity: "Q" },
      ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    [
      "an address of a family that the cluster does not have",
      { clusterIP: "fd00::1" },
      ['spec.clusterIPs[0]: Invalid value: []string{"fd00::1"}: IPv6 is not configured on this cluster'],
    ],
    [
      "two addresses of one family",
      { clusterIP: "10.96.0.8", clusterIPs: ["10.96.0.8", "10.96.0.9"], ipFamilyPolicy: "PreferDualStack" },
      [
        'spec.clusterIPs: Invalid value: []string{"10.96.0.8", "10.96.0.9"}: may specify no more than one IP for each IP family',
      ],
    ],
    [
      "two of all with a single stack",
      { clusterIP: "10.96.0.8", clusterIPs: ["10.96.0.8", "fd00::1"], ipFamilies: ["IPv4", "IPv6"] },
      [
        `spec.ipFamilyPolicy: Invalid value: "SingleStack": ${dualOnly} cluster IPs are specified`,
        `spec.ipFamilyPolicy: Invalid value: "SingleStack": ${dualOnly} IP families are specified`,
      ],
    ],
    [
      "a plural without its singular",
      { clusterIPs: ["10.96.0.8"] },
      [
        'spec.clusterIPs: Invalid value: []string{"10.96.0.8"}: must be empty when `clusterIP` is not specified',
      ],
    ],
    [
      "an address of the other family",
      { clusterIP: "10.96.0.8", ipFamilies: ["IPv6"] },
      [
        'spec.clusterIPs[0]: Invalid value: "10.96.0.8": expected an IPv6 value as indicated by `ipFamilies[0]`',
      ],
    ],
    [
      "the address of the network",
      { clusterIP: "10.96.0.0" },
      [
        'spec.clusterIPs: Invalid value: []string{"10.96.0.0"}: failed to allocate IP 10.96.0.0: the provided IP (10.96.0.0) is not in the valid range. The range of valid IPs is 10.96.0.0/12',
      ],
    ],
    [
      "the address of the API",
      { clusterIP: "10.96.0.1" },
      [
        'spec.clusterIPs: Invalid value: []string{"10.96.0.1"}: failed to allocate IP 10.96.0.1: provided IP is already allocated',
      ],
    ],
    [
      "a health check port out of range",
      { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 80 },
      [
        "Internal error occurred: failed to allocate requested HealthCheck NodePort 80: provided port is not in the valid range. The range of valid ports is 30000-32767",
      ],
    ],
  ])("%s", async (_title, spec, findings) => {
    const answer = await testClient(quietCluster())("POST", path, service(spec));
    expect(answer.findings).toEqual(findings);
  });
});

describe("a service becomes", () => {
  test.each<[string, object, object, object]>([
    [
      "a node port, and keeps its address",
      {},
      { type: "NodePort" },
      {
        type: "NodePort",
        clusterIP: expect.stringMatching(/^10\./),
        ports: [{ nodePort: expect.any(Number) }],
      },
    ],
    [
      "a cluster IP, and releases its node ports",
      { type: "LoadBalancer", externalTrafficPolicy: "Local", loadBalancerClass: "a.b/c" },
      { type: "ClusterIP" },
      { ports: [expect.not.objectContaining({ nodePort: expect.anything() })] },
    ],
    [
      "an external name, and has no address",
      {},
      { type: "ExternalName", externalName: "a.b" },
      { externalName: "a.b" },
    ],
    [
      "a cluster IP, and gets an address",
      { type: "ExternalName", externalName: "a.b" },
      { type: "ClusterIP", externalName: null },
      { clusterIP: expect.stringMatching(/^10\./), ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
    ],
  ])("%s", async (_title, before, change, after) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, service(before))).code).toBe(201);
    const { object } = await send("PATCH", `${path}/s`, { spec: change });
    expect(object.spec).toMatchObject(after);
    const left = ["healthCheckNodePort", "allocateLoadBalancerNodePorts", "loadBalancerClass"];
    expect(left.filter((field) => field in object.spec)).toEqual([]);
    if (object.spec.type === "ExternalName")
      expect(Object.keys(object.spec)).not.toContain("internalTrafficPolicy");
  });

  test("nothing if the same object is sent again", async () => {
    const send = testClient(quietCluster());
    const sent = service({
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      ports: [{ ...port, name: "a" }],
    });
    const { object: first } = await send("POST", path, sent);
    const { object: second } = await send("PUT", `${path}/s`, sent);
    expect(second).toEqual(first);
  });
});

describe("a changed service is refused for", () => {
  test.each<[string, object, object, readonly string[]]>([
    [
      "another address",
      { clusterIP: "10.96.0.8" },
      { clusterIP: "10.96.0.9" },
      ['spec.clusterIPs[0]: Invalid value: []string{"10.96.0.9"}: may not change once set'],
    ],
    [
      "another class",
      { type: "LoadBalancer", loadBalancerClass: "a.b/c" },
      { loadBalancerClass: "a.b/d" },
      ['spec.loadBalancerClass: Invalid value: "a.b/d": may not change once set'],
    ],
    [
      "another health check port",
      { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30_010 },
      { healthCheckNodePort: 30_011 },
      ["spec.healthCheckNodePort: Forbidden: field is immutable"],
    ],
    [
      "an allocated node port",
      { type: "NodePort" },
      { ports: [{ ...port, nodePort: 30_500 }] },
      ["spec.ports[0].nodePort: Invalid value: 30500: provided port is already allocated"],
    ],
    [
      "a duplicate node port",
      { type: "NodePort" },
      {
        ports: [
          { ...port, name: "a", nodePort: 30_501 },
          { port: 81, name: "b", nodePort: 30_501 },
        ],
      },
      ["duplicate nodePort: {TCP 30501}"],
    ],
  ])("%s", async (_title, before, change, findings) => {
    const send = testClient(quietCluster());
    const other = { type: "NodePort", ports: [{ ...port, nodePort: 30_500 }] };
    await send("POST", path, { metadata: { name: "other" }, spec: other });
    expect((await send("POST", path, service(before))).code).toBe(201);
    expect((await send("PATCH", `${path}/s`, { spec: change })).findings).toEqual(findings);
  });
});

describe("a dual-stack cluster", () => {
  const options = { serviceClusterIpRange: "10.96.0.0/12,fd00::/108" };

  test("allocates an address of each family on request, and releases one", async () => {
    const send = testClient(quietCluster(options));
    await send("POST", path, service({ ipFamilyPolicy: "PreferDualStack" }));
    const { object: both } = await send("GET", `${path}/s`);
    expect(both.spec.ipFamilies).toEqual(["IPv4", "IPv6"]);
    expect(both.spec.clusterIPs).toEqual([expect.stringMatching(/^10\./), expect.stringMatching(/^fd00::/)]);
    const { object: one } = await send("PATCH", `${path}/s`, { spec: { ipFamilyPolicy: "SingleStack" } });
    expect(one.spec.clusterIPs).toEqual([both.spec.clusterIP]);
    const [, released] = both.spec.clusterIPs;
    const { code } = await send("POST", path, {
      metadata: { name: "t" },
      spec: { ports: [port], clusterIP: released },
    });
    expect(code).toBe(201);
  });

  test("keeps the second family unless it is removed", async () => {
    const send = testClient(quietCluster(options));
    await send("POST", path, service({ ipFamilyPolicy: "RequireDualStack" }));
    const { findings } = await send("PATCH", `${path}/s`, { spec: { ipFamilies: ["IPv4"] } });
    expect(findings).toEqual([
      "spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": must be 'SingleStack' to release the secondary IP family",
    ]);
  });
});

test("deleting a service deletes its endpoints", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, service({}));
  await send("POST", "/api/v1/namespaces/default/endpoints", { metadata: { name: "s" } });
  await send("DELETE", `${path}/s?dryRun=All`);
  expect((await send("GET", "/api/v1/namespaces/default/endpoints/s")).code).toBe(200);
  await send("DELETE", `${path}/s`);
  expect((await send("GET", "/api/v1/namespaces/default/endpoints/s")).code).toBe(404);
});

describe("newer services", () => {
  test.each<
    [title: string, before: string, since: string, name: string, spec: object, findings: readonly string[]]
  >([
    [
      "may have a name that starts with a digit",
      "1.35",
      "1.36",
      "1s",
      {},
      [
        "metadata.name: Invalid value: \"1s\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      "may keep traffic on a node",
      "1.33",
      "1.34",
      "s",
      { trafficDistribution: "PreferSameNode" },
      ['spec.trafficDistribution: Unsupported value: "PreferSameNode": supported values: "PreferClose"'],
    ],
    [
      "may use the port of kubelets",
      "1.32",
      "1.33",
      "s",
      { type: "LoadBalancer", ports: [{ port: 10_250 }] },
      [
        "spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet",
      ],
    ],
  ])("%s", async (_title, before, since, name, spec, findings) => {
    const sent = { ...service(spec), metadata: { name } };
    expect((await testClient(quietCluster({ release: before }))("POST", path, sent)).findings).toEqual(
      findings,
    );
    expect((await testClient(quietCluster({ release: since }))("POST", path, sent)).code).toBe(201);
  });
});
