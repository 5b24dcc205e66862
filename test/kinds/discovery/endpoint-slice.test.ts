import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

function slice(fields: object): object {
  return { metadata: { name: "e" }, addressType: "IPv4", endpoints: [], ports: [], ...fields };
}

describe("an EndpointSlice is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    ["no type", { addressType: "" }, ["addressType: Required value"]],
    [
      "an invalid type",
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
      "names that are not domains",
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
      "invalid addresses, and addresses of another family",
      { addressType: "IPv6", endpoints: [{ addresses: ["z", "10.0.0.1"] }] },
      [
        'endpoints[0].addresses[0]: Invalid value: "z": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address',
      ],
    ],
    [
      "invalid domains",
      { addressType: "FQDN", endpoints: [{ addresses: ["", "A.b", `${"a".repeat(64)}.b`, "a.b."] }] },
      [
        "endpoints[0].addresses[0]: Required value",
        expect.stringContaining(
          'endpoints[0].addresses[1]: Invalid value: "A.b": a lowercase RFC 1123 subdomain',
        ),
        `endpoints[0].addresses[2]: Invalid value: "${"a".repeat(64)}": must be no more than 63 characters`,
      ],
    ],
    [
      "too many ports",
      { ports: Array.from({ length: 20_001 }, (_, i) => ({ name: `p${i}` })) },
      ["ports: Too many: 20001: must have at most 20000 items"],
    ],
    [
      "too many hints",
      {
        endpoints: [
          {
            addresses: ["10.0.0.1"],
            hints: { forZones: Array.from({ length: 9 }, (_, i) => ({ name: `z${i}` })) },
          },
        ],
      },
      ["endpoints[0].hints.forZones: Too many: 9: must have at most 8 items"],
    ],
    [
      "hints for invalid zones",
      { endpoints: [{ addresses: ["10.0.0.1"], hints: { forZones: [{ name: "a b" }] } }] },
      [expect.stringContaining('endpoints[0].hints.forZones[0].name: Invalid value: "a b": a valid label')],
    ],
    [
      "invalid hints",
      { endpoints: [{ addresses: ["10.0.0.1"], hints: { forZones: [{ name: "a" }, { name: "a" }] } }] },
      ['endpoints[0].hints.forZones[1].name: Duplicate value: "a"'],
    ],
    [
      "invalid names of hosts and nodes",
      { endpoints: [{ addresses: ["10.0.0.1"], hostname: "A", nodeName: "B_" }] },
      [
        expect.stringContaining('endpoints[0].nodeName: Invalid value: "B_": a lowercase RFC 1123 subdomain'),
        expect.stringContaining('endpoints[0].hostname: Invalid value: "A": a lowercase RFC 1123 label'),
      ],
    ],
  ])("%s", async (_title, fields, findings) => {
    expect((await testClient(quietCluster())("POST", path, slice(fields))).findings).toEqual(findings);
  });
});

test("the type of an EndpointSlice is immutable, and unchanged endpoints are not validated again", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, slice({ endpoints: [{ addresses: ["10.0.0.1"] }] }));
  const { findings } = await send("PATCH", `${path}/e`, { addressType: "IPv6" });
  expect(findings).toEqual(['addressType: Invalid value: "IPv6": field is immutable']);
});

test("an EndpointSlice defaults its ports to empty names and TCP, and counts all changes except those of annotations", async () => {
  const send = testClient(quietCluster());
  const { object } = await send("POST", path, slice({ ports: [{ port: 1 }] }));
  expect(object).toMatchObject({
    metadata: { generation: 1 },
    ports: [{ name: "", port: 1, protocol: "TCP" }],
  });
  const generation = async (change: object) =>
    (await send("PATCH", `${path}/e`, change)).object.metadata.generation;
  expect(await generation({ metadata: { annotations: { a: "b" } } })).toBe(1);
  expect(await generation({ metadata: { labels: { a: "b" } } })).toBe(2);
  expect(await generation({ ports: [] })).toBe(3);
});

describe("hints for nodes", () => {
  const withHints = (hints: object) => slice({ endpoints: [{ addresses: ["10.0.0.1"], hints }] });
  const zones = { forZones: [{ name: "z" }] };
  const open = { release: "1.33", featureGates: new Map([["PreferSameTrafficDistribution", true]]) };

  test("are dropped before 1.34", async () => {
    const send = testClient(quietCluster({ release: "1.33" }));
    const { object } = await send("POST", path, withHints({ ...zones, forNodes: [{ name: "n" }] }));
    expect(object.endpoints[0].hints).toEqual(zones);
  });

  test.each<[string, readonly object[], readonly unknown[]]>([
    [
      "many",
      Array.from({ length: 9 }, (_, i) => ({ name: `n${i}` })),
      ["endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items"],
    ],
    [
      "duplicates",
      [{ name: "n" }, { name: "n" }],
      ['endpoints[0].hints.forNodes[1].name: Duplicate value: "n"'],
    ],
    [
      "no names of nodes",
      [{ name: "A_" }],
      [
        expect.stringContaining(
          'endpoints[0].hints.forNodes[0].name: Invalid value: "A_": a lowercase RFC 1123',
        ),
      ],
    ],
  ])("are refused with their gate if they are %s", async (_title, forNodes, findings) => {
    const send = testClient(quietCluster(open));
    expect((await send("POST", path, withHints({ ...zones, forNodes }))).findings).toEqual(findings);
  });
});

test("without its gates, an endpoint has no hints, and no serving and terminating conditions", async () => {
  const closed = {
    release: "1.25",
    featureGates: new Map([
      ["TopologyAwareHints", false],
      ["EndpointSliceTerminatingCondition", false],
    ]),
  };
  const send = testClient(quietCluster(closed));
  const endpoint = {
    addresses: ["10.0.0.1"],
    conditions: { ready: true, serving: true, terminating: false },
    hints: { forZones: [{ name: "z" }] },
  };
  const { object } = await send("POST", path, slice({ endpoints: [endpoint] }));
  expect(object.endpoints).toEqual([{ addresses: ["10.0.0.1"], conditions: { ready: true } }]);
});

test("since 1.33, non-canonical addresses cause warnings, except those of controllers", async () => {
  const managed = { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" };
  const warnings = async (release: string, labels: object = {}) => {
    const send = testClient(quietCluster({ release }));
    const body = slice({ metadata: { name: "e", labels }, endpoints: [{ addresses: ["010.0.0.1"] }] });
    const created = await send("POST", path, body);
    const changed = await send("PATCH", `${path}/e`, { metadata: { annotations: { a: "b" } } });
    expect(changed.warnings).toEqual(created.warnings);
    return created.warnings;
  };
  expect(await warnings("1.32")).toEqual([]);
  expect(await warnings("1.33", managed)).toEqual([]);
  expect(await warnings("1.33")).toEqual([
    'endpoints[0].addresses[0]: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
  ]);
});

test("domain names are deprecated", async () => {
  const body = slice({ addressType: "FQDN", endpoints: [{ addresses: ["a.b"] }] });
  const { warnings } = await testClient(quietCluster())("POST", path, body);
  expect(warnings).toEqual(["spec.addressType: FQDN endpoints are deprecated"]);
});

describe("the topology of v1beta1", () => {
  const beta = "/apis/discovery.k8s.io/v1beta1/namespaces/default/endpointslices";
  const host = "kubernetes.io/hostname";
  const zone = "topology.kubernetes.io/zone";
  const addresses = ["10.0.0.1"];
  const common = { addresses, conditions: {} };
  // 1.21 stores v1beta1, later releases store v1.
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
    ["only a node", { nodeName: "n" }, { nodeName: "n" }, { nodeName: "n", topology: { [host]: "n" } }],
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
    const send = testClient(quietCluster({ release: "1.24" }));
    await send("POST", path, slice({ endpoints: [{ addresses, nodeName: "n" }] }));
    expect((await send("GET", `${beta}/e`)).object.endpoints).toEqual([
      { ...common, nodeName: "n", topology: { [host]: "n" } },
    ]);
  });

  describe.each(releases)("in %s", (release) => {
    test.each(shown)("shows %s in either version", async (_title, sent, v1, v1beta1) => {
      const send = testClient(quietCluster({ release }));
      const made = await send("POST", beta, slice({ endpoints: [{ ...common, ...sent }] }));
      expect(made.object.endpoints).toEqual([{ ...common, ...v1beta1 }]);
      expect((await send("GET", `${path}/e`)).object.endpoints).toEqual([{ ...common, ...v1 }]);
      expect((await send("GET", `${beta}/e`)).object.endpoints).toEqual([{ ...common, ...v1beta1 }]);
    });

    test("is dropped in v1", async () => {
      const send = testClient(quietCluster({ release }));
      const endpoint = { addresses, deprecatedTopology: { [host]: "n", rack: "r" }, zone: "z" };
      const made = await send("POST", path, slice({ endpoints: [endpoint] }));
      expect(made.object.endpoints).toEqual([{ ...common, zone: "z" }]);
      expect((await send("GET", `${beta}/e`)).object.endpoints).toEqual([
        { ...common, topology: { [zone]: "z" } },
      ]);
    });

    test("stays if v1 does not change the endpoints", async () => {
      const send = testClient(quietCluster({ release }));
      const endpoint = { addresses, topology: { [host]: "n", rack: "r" } };
      await send("POST", beta, slice({ endpoints: [endpoint] }));
      const labelled = await send("PATCH", `${path}/e`, { metadata: { labels: { a: "b" } } });
      expect(labelled.object.endpoints).toEqual([
        { ...common, deprecatedTopology: { [host]: "n", rack: "r" } },
      ]);
    });

    test("is reduced to node names if v1 changes the endpoints", async () => {
      const send = testClient(quietCluster({ release }));
      await send("POST", beta, slice({ endpoints: [{ addresses, topology: { [host]: "n", rack: "r" } }] }));
      const { object } = await send("GET", `${path}/e`);
      const more = { addresses: ["10.0.0.2"], deprecatedTopology: { [host]: "other" } };
      const changed = await send("PUT", `${path}/e`, { ...object, endpoints: [...object.endpoints, more] });
      expect(changed.object.endpoints).toEqual([
        { ...common, nodeName: "n" },
        { ...common, addresses: ["10.0.0.2"] },
      ]);
    });

    test.each<[string, object, string]>([
      [
        "invalid labels",
        { topology: { rack: "r s" } },
        'endpoints[0].deprecatedTopology: Invalid value: "r s": a valid label must be',
      ],
      [
        "too many labels",
        { topology: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`l${i}`, "v"])) },
        "endpoints[0].deprecatedTopology: Too many: 17: must have at most 16 items",
      ],
    ])("is refused for %s", async (_title, sent, finding) => {
      const send = testClient(quietCluster({ release }));
      const { findings } = await send("POST", beta, slice({ endpoints: [{ addresses, ...sent }] }));
      expect(findings).toEqual([expect.stringContaining(finding)]);
    });
  });
});
