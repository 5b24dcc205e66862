import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/namespaces/default/endpoints";
const address = { ip: "10.0.0.1" };

describe("Endpoints are refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    ["no address", {}, ["subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"]],
    [
      "an invalid address, reported twice",
      { notReadyAddresses: [{ ip: "zz" }] },
      [
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "zz": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "zz": must be a valid IP address',
      ],
    ],
    [
      "invalid names",
      { addresses: [{ ip: "fe80::1", hostname: "A", nodeName: "B_" }] },
      [
        expect.stringContaining(
          'subsets[0].addresses[0].hostname: Invalid value: "A": a lowercase RFC 1123 label',
        ),
        expect.stringContaining(
          'subsets[0].addresses[0].nodeName: Invalid value: "B_": a lowercase RFC 1123',
        ),
        'subsets[0].addresses[0].ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      ],
    ],
    [
      "addresses that are local to a node",
      { addresses: ["0.0.0.0", "::1", "169.254.1.1", "ff02::1"].map((ip) => ({ ip })) },
      [
        'subsets[0].addresses[0].ip: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
        'subsets[0].addresses[1].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'subsets[0].addresses[2].ip: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'subsets[0].addresses[3].ip: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
    [
      "ports with invalid names",
      { addresses: [address], ports: [{ port: 1, name: "A", appProtocol: "a b" }] },
      [
        expect.stringContaining('subsets[0].ports[0].name: Invalid value: "A": a lowercase RFC 1123 label'),
        expect.stringContaining(
          'subsets[0].ports[0].appProtocol: Invalid value: "a b": name part must consist',
        ),
      ],
    ],
    [
      "ports without names",
      { addresses: [address], ports: [{ port: 0 }, { port: 1, name: "a", protocol: "Q" }] },
      [
        "subsets[0].ports[0].name: Required value",
        "subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
        'subsets[0].ports[1].protocol: Unsupported value: "Q": supported values: "SCTP", "TCP", "UDP"',
      ],
    ],
  ])("%s", async (_title, subset, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "e" }, subsets: [subset] };
    expect((await send("POST", path, body)).findings).toEqual(findings);
    await send("POST", path, { metadata: { name: "e" } });
    expect((await send("PUT", `${path}/e`, body)).findings).toEqual(findings);
  });
});

test("Endpoints default to TCP, need no ports, and keep their subsets", async () => {
  const send = testClient(quietCluster());
  const subsets = [{ addresses: [address], ports: [{ port: 1 }] }, { addresses: [address] }];
  const { object } = await send("PUT", `${path}/e`, { metadata: { name: "e" }, subsets });
  expect(object.subsets).toEqual([
    { addresses: [address], ports: [{ port: 1, protocol: "TCP" }] },
    { addresses: [address] },
  ]);
});

test("since 1.33, Endpoints cause warnings for non-canonical addresses, except those of the controller", async () => {
  const subsets = [{ addresses: [{ ip: "010.0.0.1" }], notReadyAddresses: [{ ip: "2001:DB8::1" }] }];
  const warnings = async (release: string, labels: object = {}) => {
    const send = testClient(quietCluster({ release }));
    const created = await send("POST", path, { metadata: { name: "e", labels }, subsets });
    const changed = await send("PATCH", `${path}/e`, { metadata: { labels: { a: "b" } } });
    expect(changed.warnings).toEqual(created.warnings);
    return created.warnings.filter((warning) => warning.startsWith("subsets"));
  };
  expect(await warnings("1.32")).toEqual([]);
  expect(await warnings("1.33", { "endpoints.kubernetes.io/managed-by": "endpoint-controller" })).toEqual([]);
  expect(await warnings("1.33")).toEqual([
    'subsets[0].addresses[0].ip: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
    'subsets[0].notReadyAddresses[0].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
});
