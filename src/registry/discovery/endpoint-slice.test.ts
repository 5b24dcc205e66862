import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

function slice(fields: object): object {
  return { metadata: { name: "e" }, addressType: "IPv4", endpoints: [], ports: [], ...fields };
}

describe("an EndpointSlice is refused for", () => {
  test.each<[string, object, readonly string[]]>([
    ["no type", { addressType: "" }, ["addressType: Required value"]],
    [
      "a type that is none",
      { addressType: "Zed" },
      ['addressType: Unsupported value: "Zed": supported values: "FQDN", "IPv4", "IPv6"'],
    ],
    [
      "ports that share a name, before its endpoints",
      {
        ports: [{ port: 1 }, { port: 2, protocol: "Q", appProtocol: "a b" }],
        endpoints: [{ addresses: [] }],
      },
      [
        'ports[1].name: Duplicate value: ""',
        'ports[1].protocol: Unsupported value: "Q": supported values: "SCTP", "TCP", "UDP"',
        expect.stringContaining('ports[1].appProtocol: Invalid value: "a b": name part must consist of'),
        "endpoints[0].addresses: Required value: must contain at least 1 address",
      ],
    ],
    [
      "addresses of another family",
      { endpoints: [{ addresses: ["2001:db8::1", "127.0.0.1"] }] },
      [
        'endpoints[0].addresses: Invalid value: "2001:db8::1": must be an IPv4 address',
        'endpoints[0].addresses[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      "names that are no domains",
      { addressType: "FQDN", endpoints: [{ addresses: ["a"] }] },
      [
        'endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots',
      ],
    ],
    [
      "too many addresses",
      { endpoints: [{ addresses: Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`) }] },
      ["endpoints[0].addresses: Too many: 101: must have at most 100 items"],
    ],
    [
      "too many endpoints",
      { endpoints: Array.from({ length: 1001 }, () => ({ addresses: ["10.0.0.1"] })) },
      ["endpoints: Too many: 1001: must have at most 1000 items"],
    ],
    [
      "hints that are none",
      { endpoints: [{ addresses: ["10.0.0.1"], hints: { forZones: [{ name: "a" }, { name: "a" }] } }] },
      ['endpoints[0].hints.forZones[1].name: Duplicate value: "a"'],
    ],
    [
      "names of hosts and nodes",
      { endpoints: [{ addresses: ["10.0.0.1"], hostname: "A", nodeName: "B_" }] },
      [
        expect.stringContaining('endpoints[0].nodeName: Invalid value: "B_": a lowercase RFC 1123 subdomain'),
        expect.stringContaining('endpoints[0].hostname: Invalid value: "A": a lowercase RFC 1123 label'),
      ],
    ],
  ])("%s", async (_title, fields, findings) => {
    expect((await asking(quietCluster())("POST", path, slice(fields))).findings).toEqual(findings);
  });
});

test("the type of an EndpointSlice stays, and endpoints that stay are not looked at again", async () => {
  const ask = asking(quietCluster());
  await ask("POST", path, slice({ endpoints: [{ addresses: ["10.0.0.1"] }] }));
  const { findings } = await ask("PATCH", `${path}/e`, { addressType: "IPv6" });
  expect(findings).toEqual(['addressType: Invalid value: "IPv6": field is immutable']);
});

test("domain names are deprecated", async () => {
  const body = slice({ addressType: "FQDN", endpoints: [{ addresses: ["a.b"] }] });
  const { warnings } = await asking(quietCluster())("POST", path, body);
  expect(warnings).toEqual(["spec.addressType: FQDN endpoints are deprecated"]);
});

describe("the topology of v1beta1", () => {
  const topology = { "kubernetes.io/hostname": "n1", zone: "z" };

  test("is not taken in v1", async () => {
    const endpoint = { addresses: ["10.0.0.1"], deprecatedTopology: topology };
    const { object } = await asking(quietCluster())("POST", path, slice({ endpoints: [endpoint] }));
    expect(object.endpoints).toEqual([{ addresses: ["10.0.0.1"], conditions: {} }]);
  });
});
