import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/namespaces/default/services";
const port = { port: 80 };
const label = "must be no more than 63 characters";
const long = "a".repeat(64);
const twice =
  'core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}';
const hints = "service.kubernetes.io/topology-aware-hints";
const mode = "service.kubernetes.io/topology-mode";
const ranges = "service.beta.kubernetes.io/load-balancer-source-ranges";
const cidr = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

interface Sent {
  readonly spec: object;
  readonly metadata?: object;
  readonly options?: Parameters<typeof quietCluster>[0];
}

describe("a new service is refused for", () => {
  test.each<[title: string, sent: Sent, findings: readonly unknown[]]>([
    [
      "a name that is not a host name",
      { spec: {}, metadata: { name: "1a" } },
      [expect.stringMatching(/^metadata\.name: Invalid value: "1a": a DNS-1035 label must consist of/)],
    ],
    [
      "annotations that do not agree",
      { spec: {}, metadata: { annotations: { [hints]: "auto", [mode]: "disabled" } } },
      [
        `metadata.annotations[${mode}]: Invalid value: "disabled": must match annotations[${hints}] when both are specified`,
      ],
    ],
    [
      "several ports with a missing or duplicate name",
      { spec: { ports: [port, { port: 81, name: "b" }, { port: 82, name: "b" }, { port: 83, name: "B" }] } },
      [
        "spec.ports[0].name: Required value",
        'spec.ports[2].name: Duplicate value: "b"',
        expect.stringMatching(/^spec\.ports\[3\]\.name: Invalid value: "B": a lowercase RFC 1123 label/),
      ],
    ],
    [
      "invalid ports",
      { spec: { ports: [{ port: 0, targetPort: "web-", appProtocol: "a b" }] } },
      [
        "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
        'spec.ports[0].targetPort: Invalid value: "web-": must not begin or end with a hyphen',
        expect.stringMatching(/^spec\.ports\[0\]\.appProtocol: Invalid value: "a b": name part must consist/),
      ],
    ],
    [
      "a duplicate port",
      {
        spec: {
          ports: [
            { ...port, name: "a" },
            { ...port, name: "b" },
          ],
        },
      },
      [`spec.ports[1]: Duplicate value: ${twice}`],
    ],
    [
      "a duplicate node port",
      {
        spec: {
          type: "NodePort",
          ports: [
            { port: 80, name: "a", nodePort: 30_500 },
            { port: 81, name: "b", nodePort: 30_500 },
          ],
        },
      },
      ["spec.ports[1].nodePort: Invalid value: 30500: provided port is already allocated"],
    ],
    [
      "an invalid node port",
      { spec: { type: "NodePort", ports: [{ ...port, nodePort: 80 }] } },
      [
        "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767",
      ],
    ],
    [
      "pods that no label selects",
      { spec: { selector: { [long]: "-" } } },
      [
        `spec.selector: Invalid value: "${long}": name part ${label}`,
        expect.stringMatching(/^spec\.selector: Invalid value: "-": a valid label must be an empty string/),
      ],
    ],
    [
      "an invalid external name",
      { spec: { type: "ExternalName", externalName: "a_b" } },
      [expect.stringMatching(/^spec\.externalName: Invalid value: "a_b": a lowercase RFC 1123 subdomain/)],
    ],
    [
      "no address for a load balancer",
      { spec: { type: "LoadBalancer", clusterIP: "None" } },
      ["spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for LoadBalancer services"],
    ],
    [
      "another address first",
      { spec: { clusterIP: "10.96.0.8", clusterIPs: ["10.96.0.9"] } },
      ['spec.clusterIPs: Invalid value: []string{"10.96.0.9"}: first value must match `clusterIP`'],
    ],
    [
      "an address next to None",
      { spec: { clusterIP: "None", clusterIPs: ["None", "10.96.0.9"] } },
      [
        'spec.clusterIPs: Invalid value: []string{"None", "10.96.0.9"}: \'None\' must be the first and only value',
      ],
    ],
    [
      "three addresses, one of them invalid",
      { spec: { clusterIP: "10.96.0.8", clusterIPs: ["10.96.0.8", "zz", "fd00::1"] } },
      [
        'spec.clusterIPs[1]: Invalid value: "zz": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.clusterIPs: Invalid value: []string{"10.96.0.8", "zz", "fd00::1"}: may only hold up to 2 values',
      ],
    ],
    [
      "invalid families and policies",
      { spec: { ipFamilies: ["IPv5", "IPv5"], ipFamilyPolicy: "Q" } },
      [
        'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
        'spec.ipFamilies[1]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
        'spec.ipFamilies[1]: Duplicate value: "IPv5"',
        'spec.ipFamilyPolicy: Unsupported value: "Q": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      ],
    ],
    [
      "two families in a cluster of one",
      { spec: { ipFamilyPolicy: "RequireDualStack" } },
      [
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
      ],
    ],
    [
      "source ranges in the legacy annotation without a load balancer",
      { spec: {}, metadata: { annotations: { [ranges]: "10.0.0.0/8, x" } } },
      [
        `metadata.annotations[${ranges}]: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
        `metadata.annotations[${ranges}]: Invalid value: "x": ${cidr}`,
      ],
    ],
    [
      "a class that is not a name",
      { spec: { type: "LoadBalancer", loadBalancerClass: "a b" } },
      [expect.stringMatching(/^spec\.loadBalancerClass: Invalid value: "a b": name part must consist of/)],
    ],
    [
      "node ports when the range is exhausted",
      {
        spec: {
          type: "NodePort",
          ports: [
            { ...port, name: "a" },
            { port: 81, name: "b" },
          ],
        },
        options: { serviceNodePortRange: "30000-30000" },
      },
      ["Internal error occurred: failed to allocate a nodePort: range is full"],
    ],
    [
      "a health check port when the range is exhausted",
      {
        spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" },
        options: { serviceNodePortRange: "30000-30000" },
      },
      ["Internal error occurred: failed to allocate a HealthCheck NodePort 0: range is full"],
    ],
  ])("%s", async (_title, { spec, metadata, options }, findings) => {
    const sent = { metadata: { name: "s", ...metadata }, spec: { ports: [port], ...spec } };
    const answer = await testClient(quietCluster(options))("POST", path, sent);
    expect(answer.findings).toEqual(findings);
  });
});

describe("a service of two families is refused", () => {
  const options = { serviceClusterIpRange: "10.96.0.0/12,fd00::/108" };
  const spec = { clusterIPs: ["10.96.0.8", "fd00::8"], ipFamilyPolicy: "RequireDualStack" };
  const swapped = '[]string{"fd00::8", "10.96.0.8"}';
  const fixed = "may not change once set";

  test.each<[title: string, change: object, findings: readonly string[]]>([
    [
      "to be without the second address unasked",
      { clusterIPs: ["10.96.0.8"] },
      [
        "spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": must be 'SingleStack' to release the secondary cluster IP",
      ],
    ],
    [
      "the second first",
      { clusterIP: "fd00::8", clusterIPs: ["fd00::8", "10.96.0.8"], ipFamilies: ["IPv6", "IPv4"] },
      [
        `spec.clusterIPs[0]: Invalid value: ${swapped}: ${fixed}`,
        `spec.clusterIPs[1]: Invalid value: ${swapped}: ${fixed}`,
        `spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6", "IPv4"}: ${fixed}`,
        `spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6", "IPv4"}: ${fixed}`,
      ],
    ],
    [
      "only the second one",
      {
        clusterIP: "fd00::8",
        clusterIPs: ["fd00::8"],
        ipFamilies: ["IPv6"],
        ipFamilyPolicy: "SingleStack",
      },
      ["clusterIPs", "ipFamilies"].map(
        (field) => `spec.${field}[0]: Invalid value: []string{"fd00::8"}: ${fixed}`,
      ),
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster(options));
    const sent = { metadata: { name: "s" }, spec: { ports: [port], clusterIP: "10.96.0.8", ...spec } };
    expect((await send("POST", path, sent)).findings).toEqual([]);
    expect((await send("PATCH", `${path}/s`, { spec: change })).findings).toEqual(findings);
  });
});

test("a service keeps its health check port", async () => {
  const send = testClient(quietCluster());
  const spec = { type: "LoadBalancer", externalTrafficPolicy: "Local", ports: [port] };
  await send("POST", path, { metadata: { name: "s" }, spec });
  expect((await send("PATCH", `${path}/s`, { spec: { healthCheckNodePort: 70_000 } })).findings).toEqual([
    "spec.healthCheckNodePort: Forbidden: field is immutable",
    "spec.healthCheckNodePort: Invalid value: 70000: must be between 1 and 65535, inclusive",
  ]);
});

test("a status update without a spec gets the IP mode of its addresses", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, { metadata: { name: "s" }, spec: { type: "LoadBalancer", ports: [port] } });
  const status = { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } };
  const { findings } = await send("PUT", `${path}/s/status`, { metadata: { name: "s" }, status });
  expect(findings).toEqual([
    "status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set",
  ]);
});

test("a service has no generation, but keeps a sent one", async () => {
  const send = testClient(quietCluster());
  const sent = { metadata: { name: "s", generation: 4 }, spec: { ports: [port] } };
  expect((await send("POST", path, sent)).object.metadata.generation).toBe(4);
  const { object } = await send("PATCH", `${path}/s`, { spec: { ports: [{ port: 81 }] } });
  expect(object.metadata.generation).toBe(4);
});

test("a service can be created by PUT, and its deletion returns it", async () => {
  const send = testClient(quietCluster());
  const made = await send("PUT", `${path}/s`, { metadata: { name: "s" }, spec: { ports: [port] } });
  expect(made.code).toBe(201);
  const gone = await send("DELETE", `${path}/s`);
  expect([gone.code, gone.object.kind, gone.object.spec.clusterIP]).toEqual([
    200,
    "Service",
    made.object.spec.clusterIP,
  ]);
});
