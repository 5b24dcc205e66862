import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/namespaces/default/services";

describe("a service has warnings for", () => {
  test.each<[string, object, object | undefined, readonly string[]]>([
    [
      "a deprecated annotation",
      {},
      { "service.kubernetes.io/topology-aware-hints": "auto" },
      [
        "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
      ],
    ],
    [
      "leading zeros",
      { externalIPs: ["010.1.1.1"] },
      undefined,
      [
        'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.1.1.1"): IPv4 field has octet with leading zero',
      ],
    ],
    [
      "non-canonical addresses",
      { externalIPs: ["2001:DB8::1"] },
      undefined,
      [
        'spec.externalIPs[0]: IPv6 address "2001:DB8::1" is not in RFC 5952 canonical format ("2001:db8::1"), which may cause controller apply-loops',
      ],
    ],
    [
      "networks with leading zeros",
      { type: "LoadBalancer", loadBalancerSourceRanges: ["010.0.0.0/8", "10.0.0.0/08"] },
      undefined,
      [
        'spec.loadBalancerSourceRanges[0]: IP prefix was accepted, but will be invalid in a future Kubernetes release: netip.ParsePrefix("010.0.0.0/8"): ParseAddr("010.0.0.0"): IPv4 field has octet with leading zero',
        'spec.loadBalancerSourceRanges[1]: IP prefix was accepted, but will be invalid in a future Kubernetes release: netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"',
      ],
    ],
    [
      "external addresses of an external name",
      { type: "ExternalName", externalName: "a.b", externalIPs: ["1.2.3.4"] },
      undefined,
      ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
    ],
    [
      "an external name that is not used",
      { externalName: "a.b" },
      undefined,
      ['spec.externalName is ignored when spec.type is not "ExternalName"'],
    ],
  ])("%s", async (_title, spec, annotations, warnings) => {
    const metadata = { name: "s", ...(annotations && { annotations }) };
    const body = { metadata, spec: { ports: [{ port: 80 }], ...spec } };
    const answer = await testClient(quietCluster())("POST", path, body);
    expect(answer.code).toBe(201);
    expect(answer.warnings).toEqual(warnings);
  });
});

describe("since 1.33 a service has warnings for", () => {
  const standard = "will be considered invalid in a future Kubernetes release: use";

  test.each<[string, object, readonly string[]]>([
    ["no canonical addresses", { externalIPs: ["10.1.1.1", "2001:db8::1"] }, []],
    [
      "non-standard addresses",
      { externalIPs: ["010.1.1.1", "::ffff:10.1.1.2"] },
      [
        `spec.externalIPs[0]: non-standard IP address "010.1.1.1" ${standard} "10.1.1.1"`,
        `spec.externalIPs[1]: non-standard IP address "::ffff:10.1.1.2" ${standard} "10.1.1.2"`,
      ],
    ],
    [
      "non-canonical IPv6 addresses",
      { externalIPs: ["2001:DB8::1"] },
      [
        'spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
      ],
    ],
    [
      "how networks are to be written",
      {
        type: "LoadBalancer",
        loadBalancerSourceRanges: ["10.0.0.0/08", "10.1.2.3/8", "2001:DB8::/64", "10.0.0.0/8"],
      },
      [
        `spec.loadBalancerSourceRanges[0]: non-standard CIDR value "10.0.0.0/08" ${standard} "10.0.0.0/8"`,
        'spec.loadBalancerSourceRanges[1]: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)',
        'spec.loadBalancerSourceRanges[2]: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
      ],
    ],
  ])("%s", async (_title, spec, warnings) => {
    const body = { metadata: { name: "s" }, spec: { ports: [{ port: 80 }], ...spec } };
    const answer = await testClient(quietCluster({ release: "1.33" }))("POST", path, body);
    expect([answer.code, ...answer.warnings]).toEqual([201, ...warnings]);
  });
});
