import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../src/apimachinery/object-meta.ts";
import { collectErrors } from "../../../src/apimachinery/validation/findings.ts";
import { addCsiStorageCapacityUpdateErrors } from "../../../src/kinds/storage/csi-storage-capacity/csi-storage-capacity-validation.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const root = "/apis/storage.k8s.io/v1";
const immutable = "field is immutable";

describe("a CSIDriver", () => {
  const path = `${root}/csidrivers`;

  test.each<[string, object, readonly string[]]>([
    [
      "groups of files",
      { fsGroupPolicy: "Q" },
      [
        'spec.fsGroupPolicy: Unsupported value: "Q": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      ],
    ],
    [
      "duplicate token requests, and invalid lifetimes",
      {
        tokenRequests: [
          { audience: "a", expirationSeconds: 599 },
          { audience: "a", expirationSeconds: 1 },
          { audience: "b", expirationSeconds: 2 ** 32 + 1 },
          { audience: "c", expirationSeconds: 600 },
          { audience: "d", expirationSeconds: 2 ** 32 },
          { audience: "" },
        ],
      },
      [
        "spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes",
        'spec.tokenRequests[1].audience: Duplicate value: "a"',
        "spec.tokenRequests[2].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds",
      ],
    ],
    [
      "unknown lifecycle modes",
      { volumeLifecycleModes: ["Z"] },
      ['spec.volumeLifecycleModes: Unsupported value: "Z": supported values: "Persistent", "Ephemeral"'],
    ],
  ])("is refused for %s", async (_title, spec, findings) => {
    const send = testClient(quietCluster());
    expect((await send("POST", path, { metadata: { name: "d" }, spec })).findings).toEqual(findings);
    await send("POST", path, { metadata: { name: "d" }, spec: {} });
    const changed = (await send("PATCH", `${path}/d`, { spec })).findings;
    expect(changed.filter((finding) => !finding.endsWith(immutable))).toEqual(findings);
  });

  test("has defaults, counts its changes, and cannot change attachRequired", async () => {
    const send = testClient(quietCluster());
    const made = await send("POST", path, { metadata: { name: "d" }, spec: {} });
    expect(made.object.spec).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      requiresRepublish: false,
      seLinuxMount: false,
      volumeLifecycleModes: ["Persistent"],
    });
    const change = { spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } };
    expect((await send("PATCH", `${path}/d`, change)).findings).toEqual([
      `spec.attachedRequired: Invalid value: false: ${immutable}`,
      `spec.volumeLifecycleModes: Invalid value: []storage.VolumeLifecycleMode{"Ephemeral"}: ${immutable}`,
    ]);
    const { object } = await send("PATCH", `${path}/d`, { spec: { requiresRepublish: true } });
    expect(object.metadata.generation).toBe(2);
  });

  test.each<[release: string, fields: readonly string[]]>([
    ["1.18", []],
    ["1.19", []],
    ["1.20", ["fsGroupPolicy"]],
    ["1.21", ["fsGroupPolicy", "requiresRepublish", "storageCapacity", "tokenRequests"]],
  ])("has in %s the fields of the release with the gates %o", async (release, fields) => {
    const spec = {
      fsGroupPolicy: "File",
      requiresRepublish: true,
      storageCapacity: true,
      tokenRequests: [{ audience: "a" }],
    };
    const { object } = await testClient(quietCluster({ release }))("POST", path, {
      metadata: { name: "d" },
      spec,
    });
    expect(
      Object.keys(object.spec)
        .filter((field) => field in spec)
        .sort(),
    ).toEqual(fields);
  });

  test("has no SELinux mount support before 1.28, and no allocatable update period before 1.35", async () => {
    const spec = { seLinuxMount: true, nodeAllocatableUpdatePeriodSeconds: 9 };
    const made = async (release: string) =>
      testClient(quietCluster({ release }))("POST", path, { metadata: { name: "d" }, spec });
    expect((await made("1.27")).object.spec).not.toHaveProperty("seLinuxMount");
    expect((await made("1.33")).object.spec).toMatchObject({ seLinuxMount: true });
    expect((await made("1.34")).object.spec).not.toHaveProperty("nodeAllocatableUpdatePeriodSeconds");
    expect((await made("1.35")).findings).toEqual([
      "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds",
    ]);
  });
});

describe("a CSINode", () => {
  const path = `${root}/csinodes`;
  const shown = (id: string) =>
    `spec.drivers: Invalid value: storage.CSINodeDriver{Name:"d", NodeID:"${id}", TopologyKeys:[]string(nil), Allocatable:(*storage.VolumeNodeResources)(nil)}: ${immutable}`;
  const spec = (driver: object) => ({ spec: { drivers: [{ name: "d", nodeID: "a", ...driver }] } });

  test("must not list duplicate drivers, reported twice on updates", async () => {
    const send = testClient(quietCluster());
    const drivers = [
      { name: "d", nodeID: "" },
      { name: "d", nodeID: "x".repeat(257), allocatable: { count: -1 }, topologyKeys: ["a", "a"] },
      { name: "D_", nodeID: "x", topologyKeys: ["", "b c"] },
    ];
    const findings = [
      "spec.drivers[0].nodeID: Required value",
      `spec.drivers[1].nodeID: Invalid value: "${"x".repeat(257)}": must be 256 characters or less`,
      "spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to 0",
      'spec.drivers[1].name: Duplicate value: "d"',
      'spec.drivers[1]: Duplicate value: "a"',
      expect.stringContaining('spec.drivers[2].name: Invalid value: "D_": a lowercase RFC 1123 subdomain'),
      "spec.drivers[2]: Required value",
      'spec.drivers[2]: Invalid value: "": name part must be non-empty',
      expect.stringContaining('spec.drivers[2]: Invalid value: "": name part must consist of'),
      expect.stringContaining('spec.drivers[2]: Invalid value: "b c": name part must consist of'),
    ];
    const body = { metadata: { name: "n" }, spec: { drivers } };
    expect((await send("POST", path, body)).findings).toEqual(findings);
    await send("POST", path, { metadata: { name: "n" }, spec: { drivers: [] } });
    expect((await send("PATCH", `${path}/n`, body)).findings).toEqual([...findings, ...findings]);
  });

  test("reports errors once since 1.36", async () => {
    const told = async (release: string) => {
      const send = testClient(quietCluster({ release }));
      await send("POST", path, { metadata: { name: "n" }, spec: { drivers: [] } });
      return (await send("PATCH", `${path}/n`, spec({ nodeID: "" }))).findings;
    };
    const finding = "spec.drivers[0].nodeID: Required value";
    expect([await told("1.35"), await told("1.36")]).toEqual([[finding, finding], [finding]]);
  });

  test("cannot change its drivers, but may add and remove them", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, { metadata: { name: "n" }, ...spec({}) });
    expect((await send("PATCH", `${path}/n`, spec({ nodeID: "b" }))).findings).toEqual([shown("b")]);
    expect((await send("PATCH", `${path}/n`, spec({ name: "e" }))).code).toBe(200);
  });

  test("can change the number of volumes of a driver since 1.35", async () => {
    const counted = spec({ allocatable: { count: 1 } });
    const changed = async (release: string, change: object) => {
      const send = testClient(quietCluster({ release }));
      await send("POST", path, { metadata: { name: "n" }, ...spec({}) });
      return send("PATCH", `${path}/n`, change);
    };
    expect((await changed("1.34", counted)).code).toBe(422);
    expect((await changed("1.35", counted)).object.spec.drivers[0].allocatable).toEqual({ count: 1 });
    expect((await changed("1.35", spec({ nodeID: "b" }))).findings).toEqual([
      'spec.drivers: Invalid value: {"Name":"d","NodeID":"b","TopologyKeys":null,"Allocatable":null}: field is immutable',
    ]);
  });

  test.each([
    ["1.21", 128],
    ["1.22", 192],
    ["1.23", 256],
  ])("has in %s ids of at most %i bytes", async (release, longest) => {
    const send = testClient(quietCluster({ release }));
    const made = (length: number) =>
      send("POST", path, { metadata: { name: `n${length}` }, ...spec({ nodeID: "x".repeat(length) }) });
    expect((await made(longest)).code).toBe(201);
    expect((await made(longest + 1)).findings).toEqual([
      expect.stringContaining(`must be ${longest} characters or less`),
    ]);
  });
});

describe("a CSIStorageCapacity", () => {
  const path = `${root}/namespaces/default/csistoragecapacities`;
  const expression = { key: "a", operator: "In", values: ["b c"] };

  test("cannot change its class and its topology", async () => {
    const send = testClient(quietCluster());
    const nodeTopology = { matchExpressions: [expression] };
    const body = { metadata: { name: "c" }, storageClassName: "A", capacity: "-1", nodeTopology };
    const findings = [
      expect.stringContaining(
        'nodeTopology.matchExpressions[0].values[0]: Invalid value: "b c": a valid label must be',
      ),
      expect.stringContaining('storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain'),
      'capacity: Invalid value: "-1": must be greater than or equal to 0',
    ];
    expect((await send("POST", path, body)).findings).toEqual(findings);
    await send("POST", path, { metadata: { name: "c" }, storageClassName: "a" });
    expect((await send("PATCH", `${path}/c`, { capacity: "-1" })).findings).toEqual([findings[2]]);
    expect((await send("PATCH", `${path}/c`, { capacity: "1" })).code).toBe(200);
    const change = { storageClassName: "b", nodeTopology: { matchLabels: { a: "b" } } };
    expect((await send("PATCH", `${path}/c`, change)).findings).toEqual([
      `nodeTopology: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"a":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: ${immutable}`,
      `storageClassName: Invalid value: "b": ${immutable}`,
    ]);
  });

  test("keeps invalid labels if it had some", () => {
    const capacity = (...matchExpressions: readonly object[]) =>
      ({
        metadata: { name: "c", namespace: "n", resourceVersion: "1" },
        storageClassName: "s",
        nodeTopology: { matchExpressions },
      }) as unknown as KubeObject;
    expect(
      collectErrors((errors) =>
        addCsiStorageCapacityUpdateErrors(errors, capacity(expression), capacity(expression)),
      ),
    ).toEqual([]);
    expect(
      collectErrors((errors) =>
        addCsiStorageCapacityUpdateErrors(errors, capacity(expression), capacity()),
      ).map(({ field }) => field),
    ).toEqual(["nodeTopology.matchExpressions[0].values[0]", "nodeTopology"]);
  });

  test("warns about deprecated labels", async () => {
    const send = testClient(quietCluster());
    const nodeTopology = {
      matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }],
      matchLabels: { "beta.kubernetes.io/arch": "a" },
    };
    const warnings = [
      'nodeTopology.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      'nodeTopology.matchLabels.beta.kubernetes.io/arch: deprecated since v1.14; use "kubernetes.io/arch" instead',
    ];
    const body = { metadata: { name: "c" }, storageClassName: "a", nodeTopology };
    expect((await send("POST", path, body)).warnings).toEqual(warnings);
    expect((await send("PATCH", `${path}/c`, { capacity: "1" })).warnings).toEqual(warnings);
  });
});
