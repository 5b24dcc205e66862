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
  const beta = "/apis/discovery.k8s.io/v1beta1/namespaces/default/endpointslices";
  const host = "kubernetes.io/hostname";
  const zone = "topology.kubernetes.io/zone";
  const addresses = ["10.0.0.1"];
  const common = { addresses, conditions: {} };
  // 1.21 stores v1beta1, those after it v1.
  const releases = [["1.21"], ["1.24"]] as const;

  type Shown = readonly [title: string, sent: object, v1: object, v1beta1: object];
  const shown: readonly Shown[] = [
    ["nothing", {}, {}, {}],
    ["a zone", { topology: { [zone]: "z" } }, { zone: "z" }, { topology: { [zone]: "z" } }],
    [
      "a node",
      { nodeName: "n", topology: { [host]: "n" } },
      { nodeName: "n" },
      { nodeName: "n", topology: { [host]: "n" } },
    ],
    [
      "a host that is not the node",
      { nodeName: "n", topology: { [host]: "h" } },
      { nodeName: "n", deprecatedTopology: { [host]: "h" } },
      { nodeName: "n", topology: { [host]: "h" } },
    ],
    [
      "a host without a node, and a rack",
      { topology: { [host]: "h", rack: "r", [zone]: "z" } },
      { zone: "z", deprecatedTopology: { [host]: "h", rack: "r" } },
      { topology: { [host]: "h", rack: "r", [zone]: "z" } },
    ],
  ];

  test("has the node of v1 for a host", async () => {
    const ask = asking(quietCluster({ release: "1.24" }));
    await ask("POST", path, slice({ endpoints: [{ addresses, nodeName: "n" }] }));
    expect((await ask("GET", `${beta}/e`)).object.endpoints).toEqual([
      { ...common, nodeName: "n", topology: { [host]: "n" } },
    ]);
  });

  describe.each(releases)("in %s", (release) => {
    test.each(shown)("shows %s in either version", async (_title, sent, v1, v1beta1) => {
      const ask = asking(quietCluster({ release }));
      const made = await ask("POST", beta, slice({ endpoints: [{ ...common, ...sent }] }));
      expect(made.object.endpoints).toEqual([{ ...common, ...v1beta1 }]);
      expect((await ask("GET", `${path}/e`)).object.endpoints).toEqual([{ ...common, ...v1 }]);
      expect((await ask("GET", `${beta}/e`)).object.endpoints).toEqual([{ ...common, ...v1beta1 }]);
    });

    test("is not taken in v1", async () => {
      const ask = asking(quietCluster({ release }));
      const endpoint = { addresses, deprecatedTopology: { [host]: "n", rack: "r" }, zone: "z" };
      const made = await ask("POST", path, slice({ endpoints: [endpoint] }));
      expect(made.object.endpoints).toEqual([{ ...common, zone: "z" }]);
      expect((await ask("GET", `${beta}/e`)).object.endpoints).toEqual([
        { ...common, topology: { [zone]: "z" } },
      ]);
    });

    test("stays where v1 leaves the endpoints alone", async () => {
      const ask = asking(quietCluster({ release }));
      const endpoint = { addresses, topology: { [host]: "n", rack: "r" } };
      await ask("POST", beta, slice({ endpoints: [endpoint] }));
      const labelled = await ask("PATCH", `${path}/e`, { metadata: { labels: { a: "b" } } });
      expect(labelled.object.endpoints).toEqual([
        { ...common, deprecatedTopology: { [host]: "n", rack: "r" } },
      ]);
    });

    test("leaves the names of its hosts as nodes where v1 changes the endpoints", async () => {
      const ask = asking(quietCluster({ release }));
      await ask("POST", beta, slice({ endpoints: [{ addresses, topology: { [host]: "n", rack: "r" } }] }));
      const { object } = await ask("GET", `${path}/e`);
      const more = { addresses: ["10.0.0.2"], deprecatedTopology: { [host]: "other" } };
      const changed = await ask("PUT", `${path}/e`, { ...object, endpoints: [...object.endpoints, more] });
      expect(changed.object.endpoints).toEqual([
        { ...common, nodeName: "n" },
        { ...common, addresses: ["10.0.0.2"] },
      ]);
    });

    test.each<[string, object, string]>([
      [
        "its labels",
        { topology: { rack: "r s" } },
        'endpoints[0].deprecatedTopology: Invalid value: "r s": a valid label must be',
      ],
      [
        "the number of its labels",
        { topology: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`l${i}`, "v"])) },
        "endpoints[0].deprecatedTopology: Too many: 17: must have at most 16 items",
      ],
    ])("is refused for %s", async (_title, sent, finding) => {
      const ask = asking(quietCluster({ release }));
      const { findings } = await ask("POST", beta, slice({ endpoints: [{ addresses, ...sent }] }));
      expect(findings).toEqual([expect.stringContaining(finding)]);
    });
  });
});
