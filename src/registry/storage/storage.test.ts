import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { capacityUpdateErrors } from "./csi-storage-capacity.ts";

const root = "/apis/storage.k8s.io/v1";
const immutable = "field is immutable";

describe("a StorageClass is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    ["no provisioner", { provisioner: "" }, ["provisioner: Required value"]],
    [
      "a provisioner that is no name",
      { provisioner: "A b" },
      [expect.stringContaining('provisioner: Invalid value: "a b": name part must')],
    ],
    [
      "a parameter without name",
      { parameters: { "": "x" } },
      ['parameters: Invalid value: "": field can not be empty.'],
    ],
    [
      "many parameters",
      { parameters: Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`p${i}`, ""])) },
      ["parameters: Too long: may not be more than 512 bytes"],
    ],
    [
      "much to say",
      { parameters: { a: "x".repeat(262144) } },
      ["parameters: Too long: may not be more than 262144 bytes"],
    ],
    [
      "modes",
      { reclaimPolicy: "Q", volumeBindingMode: "Z" },
      [
        'reclaimPolicy: Unsupported value: "Q": supported values: "Delete", "Retain"',
        'volumeBindingMode: Unsupported value: "Z": supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    ],
    [
      "places",
      {
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: "a", values: [] },
              { key: "a", values: ["x", "x"] },
            ],
          },
          { matchLabelExpressions: [{ key: "b", values: ["x"] }] },
          { matchLabelExpressions: [{ key: "b", values: ["x"] }] },
        ],
      },
      [
        "allowedTopologies[0].matchLabelExpressions[0].values: Required value",
        'allowedTopologies[0].matchLabelExpressions[1].values[1]: Duplicate value: "x"',
        'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "a"',
        'allowedTopologies[2].matchLabelExpressions: Duplicate value: ""',
      ],
    ],
  ])("%s", async (_title, change, findings) => {
    const ask = asking(quietCluster());
    const body = { metadata: { name: "s" }, provisioner: "x.y/z", ...change };
    expect((await ask("POST", `${root}/storageclasses`, body)).findings).toEqual(findings);
  });
});

test("a StorageClass stays as it is, and warns of labels that are no more", async () => {
  const ask = asking(quietCluster());
  const key = "failure-domain.beta.kubernetes.io/zone";
  const allowedTopologies = [{ matchLabelExpressions: [{ key, values: ["a"] }] }];
  const body = { metadata: { name: "s" }, provisioner: "x.y/z", allowedTopologies };
  expect((await ask("POST", `${root}/storageclasses`, body)).warnings).toEqual([
    'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ]);
  const change = {
    provisioner: "b",
    parameters: { a: "b" },
    reclaimPolicy: "Retain",
    volumeBindingMode: "Z",
  };
  expect((await ask("PATCH", `${root}/storageclasses/s`, change)).findings).toEqual([
    'volumeBindingMode: Unsupported value: "Z": supported values: "Immediate", "WaitForFirstConsumer"',
    "parameters: Forbidden: updates to parameters are forbidden.",
    "provisioner: Forbidden: updates to provisioner are forbidden.",
    "reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.",
    `volumeBindingMode: Invalid value: "Z": ${immutable}`,
  ]);
});

test("a StorageClass deletes what is no longer claimed, at once binds what is, and may let it grow", async () => {
  const ask = asking(quietCluster());
  const { object } = await ask("POST", `${root}/storageclasses`, {
    metadata: { name: "s" },
    provisioner: "p",
  });
  expect(object).toMatchObject({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
  const changed = await ask("PATCH", `${root}/storageclasses/s`, { allowVolumeExpansion: true });
  expect(changed.object.allowVolumeExpansion).toBe(true);
});

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
      "tokens that last too short or too long, or are asked for twice",
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
      "ways of life",
      { volumeLifecycleModes: ["Z"] },
      ['spec.volumeLifecycleModes: Unsupported value: "Z": supported values: "Persistent", "Ephemeral"'],
    ],
  ])("is refused for %s that it cannot need", async (_title, spec, findings) => {
    const ask = asking(quietCluster());
    expect((await ask("POST", path, { metadata: { name: "d" }, spec })).findings).toEqual(findings);
    await ask("POST", path, { metadata: { name: "d" }, spec: {} });
    const changed = (await ask("PATCH", `${path}/d`, { spec })).findings;
    expect(changed.filter((finding) => !finding.endsWith(immutable))).toEqual(findings);
  });

  test("needs what is usual, counts its changes, and keeps how it attaches", async () => {
    const ask = asking(quietCluster());
    const made = await ask("POST", path, { metadata: { name: "d" }, spec: {} });
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
    expect((await ask("PATCH", `${path}/d`, change)).findings).toEqual([
      `spec.attachedRequired: Invalid value: false: ${immutable}`,
      `spec.volumeLifecycleModes: Invalid value: []storage.VolumeLifecycleMode{"Ephemeral"}: ${immutable}`,
    ]);
    const { object } = await ask("PATCH", `${path}/d`, { spec: { requiresRepublish: true } });
    expect(object.metadata.generation).toBe(2);
  });

  test("has no labels of SELinux before 1.28, and asks for no counts before 1.34", async () => {
    const spec = { seLinuxMount: true, nodeAllocatableUpdatePeriodSeconds: 9 };
    const made = async (release: string) =>
      asking(quietCluster({ release }))("POST", path, { metadata: { name: "d" }, spec });
    expect((await made("1.27")).object.spec).not.toHaveProperty("seLinuxMount");
    expect((await made("1.33")).object.spec).toMatchObject({ seLinuxMount: true });
    expect((await made("1.33")).object.spec).not.toHaveProperty("nodeAllocatableUpdatePeriodSeconds");
    expect((await made("1.34")).findings).toEqual([
      "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds",
    ]);
  });
});

describe("a CSINode", () => {
  const path = `${root}/csinodes`;
  const shown = (id: string) =>
    `spec.drivers: Invalid value: storage.CSINodeDriver{Name:"d", NodeID:"${id}", TopologyKeys:[]string(nil), Allocatable:(*storage.VolumeNodeResources)(nil)}: ${immutable}`;
  const spec = (driver: object) => ({ spec: { drivers: [{ name: "d", nodeID: "a", ...driver }] } });

  test("lists drivers once, told twice when it changes", async () => {
    const ask = asking(quietCluster());
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
    expect((await ask("POST", path, body)).findings).toEqual(findings);
    await ask("POST", path, { metadata: { name: "n" }, spec: { drivers: [] } });
    expect((await ask("PATCH", `${path}/n`, body)).findings).toEqual([...findings, ...findings]);
  });

  test("has drivers that stay as they are, and may come and go", async () => {
    const ask = asking(quietCluster());
    await ask("POST", path, { metadata: { name: "n" }, ...spec({}) });
    expect((await ask("PATCH", `${path}/n`, spec({ nodeID: "b" }))).findings).toEqual([shown("b")]);
    expect((await ask("PATCH", `${path}/n`, spec({ name: "e" }))).code).toBe(200);
  });

  test("has drivers that bear other numbers of volumes from 1.34 on", async () => {
    const counted = spec({ allocatable: { count: 1 } });
    const changed = async (release: string, change: object) => {
      const ask = asking(quietCluster({ release }));
      await ask("POST", path, { metadata: { name: "n" }, ...spec({}) });
      return ask("PATCH", `${path}/n`, change);
    };
    expect((await changed("1.33", counted)).code).toBe(422);
    expect((await changed("1.34", counted)).object.spec.drivers[0].allocatable).toEqual({ count: 1 });
    expect((await changed("1.34", spec({ nodeID: "b" }))).findings).toEqual([shown("b")]);
  });

  test.each([
    ["1.21", 128],
    ["1.22", 192],
    ["1.23", 256],
  ])("has in %s ids of no more than %i bytes", async (release, longest) => {
    const ask = asking(quietCluster({ release }));
    const made = (length: number) =>
      ask("POST", path, { metadata: { name: `n${length}` }, ...spec({ nodeID: "x".repeat(length) }) });
    expect((await made(longest)).code).toBe(201);
    expect((await made(longest + 1)).findings).toEqual([
      expect.stringContaining(`must be ${longest} characters or less`),
    ]);
  });
});

describe("a CSIStorageCapacity", () => {
  const path = `${root}/namespaces/default/csistoragecapacities`;
  const expression = { key: "a", operator: "In", values: ["b c"] };

  test("is of one class in one place", async () => {
    const ask = asking(quietCluster());
    const nodeTopology = { matchExpressions: [expression] };
    const body = { metadata: { name: "c" }, storageClassName: "A", capacity: "-1", nodeTopology };
    const findings = [
      expect.stringContaining(
        'nodeTopology.matchExpressions[0].values[0]: Invalid value: "b c": a valid label must be',
      ),
      expect.stringContaining('storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain'),
      'capacity: Invalid value: "-1": must be greater than or equal to 0',
    ];
    expect((await ask("POST", path, body)).findings).toEqual(findings);
    await ask("POST", path, { metadata: { name: "c" }, storageClassName: "a" });
    expect((await ask("PATCH", `${path}/c`, { capacity: "-1" })).findings).toEqual([findings[2]]);
    expect((await ask("PATCH", `${path}/c`, { capacity: "1" })).code).toBe(200);
    const change = { storageClassName: "b", nodeTopology: { matchLabels: { a: "b" } } };
    expect((await ask("PATCH", `${path}/c`, change)).findings).toEqual([
      `nodeTopology: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"a":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: ${immutable}`,
      `storageClassName: Invalid value: "b": ${immutable}`,
    ]);
  });

  test("keeps labels that are none if it had some", () => {
    const capacity = (...matchExpressions: readonly object[]) =>
      ({
        metadata: { name: "c", namespace: "n", resourceVersion: "1" },
        storageClassName: "s",
        nodeTopology: { matchExpressions },
      }) as unknown as KubeObject;
    expect(capacityUpdateErrors(capacity(expression), capacity(expression))).toEqual([]);
    expect(capacityUpdateErrors(capacity(expression), capacity()).map(({ field }) => field)).toEqual([
      "nodeTopology.matchExpressions[0].values[0]",
      "nodeTopology",
    ]);
  });

  test("warns of labels that are no more", async () => {
    const ask = asking(quietCluster());
    const nodeTopology = {
      matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }],
      matchLabels: { "beta.kubernetes.io/arch": "a" },
    };
    const warnings = [
      'nodeTopology.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      'nodeTopology.matchLabels.beta.kubernetes.io/arch: deprecated since v1.14; use "kubernetes.io/arch" instead',
    ];
    const body = { metadata: { name: "c" }, storageClassName: "a", nodeTopology };
    expect((await ask("POST", path, body)).warnings).toEqual(warnings);
    expect((await ask("PATCH", `${path}/c`, { capacity: "1" })).warnings).toEqual(warnings);
  });
});

describe("a VolumeAttributesClass", () => {
  const path = "/apis/storage.k8s.io/v1beta1/volumeattributesclasses";
  const options = {
    runtimeConfig: new Map([["storage.k8s.io/v1beta1", true]]),
    featureGates: new Map([["VolumeAttributesClass", true]]),
  };

  test("is refused without a driver and parameters", async () => {
    const ask = asking(quietCluster(options));
    expect((await ask("POST", path, { metadata: { name: "v" }, driverName: "" })).findings).toEqual([
      "driverName: Required value",
      "parameters: Required value: must contain at least one key/value pair",
    ]);
  });

  test("stays as it is", async () => {
    const ask = asking(quietCluster(options));
    await ask("POST", path, { metadata: { name: "v" }, driverName: "d", parameters: { a: "b" } });
    const change = { driverName: "e", parameters: { a: "c", "": "d" } };
    const empty = 'parameters: Invalid value: "": field can not be empty.';
    expect((await ask("PATCH", `${path}/v`, change)).findings).toEqual([
      empty,
      "driverName: Forbidden: updates to driverName are forbidden.",
      "parameters: Forbidden: updates to parameters are forbidden.",
      empty,
    ]);
    expect((await ask("PATCH", `${path}/v`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
  });
});

describe("a VolumeAttachment", () => {
  const path = `${root}/volumeattachments`;
  const good = { attacher: "d.io", nodeName: "n", source: { persistentVolumeName: "v" } };

  test.each<[string, object, readonly unknown[]]>([
    [
      "nothing",
      { attacher: "", nodeName: "n", source: {} },
      [
        "spec.attacher: Required value",
        "spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
        "spec.attacher: Required value",
        expect.stringContaining("spec.attacher: Invalid value"),
      ],
    ],
    [
      "names that are none",
      { ...good, nodeName: "N_", source: { persistentVolumeName: "V_" } },
      [
        expect.stringContaining('spec.nodeName: Invalid value: "N_": a lowercase RFC 1123 subdomain'),
        expect.stringContaining(
          'spec.source.persistentVolumeName: Invalid value: "V_": a lowercase RFC 1123',
        ),
      ],
    ],
    [
      "a volume without a name",
      { ...good, source: { persistentVolumeName: "" } },
      [
        "spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName",
        expect.stringContaining('spec.source.persistentVolumeName: Invalid value: "": a lowercase RFC 1123'),
      ],
    ],
    [
      "two volumes",
      { ...good, source: { persistentVolumeName: "v", inlineVolumeSpec: {} } },
      ["spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName"],
    ],
    [
      "an inline volume with a life of its own",
      {
        ...good,
        source: {
          inlineVolumeSpec: {
            claimRef: { name: "c" },
            capacity: { storage: "1Gi" },
            accessModes: ["ReadWriteOnce"],
            persistentVolumeReclaimPolicy: "Delete",
            storageClassName: "s",
            volumeMode: "Block",
            nodeAffinity: {},
            hostPath: { path: "/x" },
          },
        },
      },
      [
        "claimRef: Forbidden: may not be specified in the context of inline volumes",
        "capacity: Forbidden: may not be specified in the context of inline volumes",
        "csi: Required value: has to be specified in the context of inline volumes",
        "persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes",
        "nodeAffinity: Forbidden: may not be specified in the context of inline volumes",
        "storageClassName: Forbidden: may not be specified in the context of inline volumes",
        "volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes",
      ].map((finding) => `spec.source.inlineVolumeSpec.${finding}`),
    ],
  ])("is refused for %s", async (_title, spec, findings) => {
    const ask = asking(quietCluster());
    expect((await ask("POST", path, { metadata: { name: "a" }, spec })).findings).toEqual(findings);
  });

  test("keeps its spec, and its metadata when it is reported on", async () => {
    const ask = asking(quietCluster());
    await ask("POST", path, { metadata: { name: "a" }, spec: good, status: { attached: true } });
    expect((await ask("PATCH", `${path}/a`, { spec: { nodeName: "m" } })).findings).toEqual([
      `spec: Invalid value: storage.VolumeAttachmentSpec{Attacher:"d.io", Source:storage.VolumeAttachmentSource{PersistentVolumeName:(*string)(0xc000000000), InlineVolumeSpec:(*core.PersistentVolumeSpec)(nil)}, NodeName:"m"}: ${immutable}`,
    ]);
    const report = { metadata: { labels: { a: "b" } }, status: { attached: true } };
    const { object } = await ask("PATCH", `${path}/a/status`, report);
    expect(object.status.attached).toBe(true);
    expect(object.metadata.labels).toBeUndefined();
  });

  test("may hold its volume", async () => {
    const ask = asking(quietCluster());
    const csi = { driver: "d.io", volumeHandle: "h" };
    const inlineVolumeSpec = { accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem", csi };
    const spec = { ...good, source: { inlineVolumeSpec } };
    expect((await ask("POST", path, { metadata: { name: "a" }, spec })).code).toBe(201);
  });

  test("may not be reported on at length; what is wrong is told twice", async () => {
    const ask = asking(quietCluster());
    await ask("POST", path, { metadata: { name: "a" }, spec: good });
    const attachmentMetadata = { a: "x".repeat(256 * 1024) };
    const message = "x".repeat(1025);
    const status = { attached: true, attachmentMetadata, attachError: { message }, detachError: { message } };
    const findings = [
      "status.attachmentMetadata: Too long: may not be more than 262144 bytes",
      "status.attachError.message: Too long: may not be more than 262144 bytes",
      "status.detachError.message: Too long: may not be more than 262144 bytes",
    ];
    const answer = await ask("PATCH", `${path}/a/status`, { status });
    expect(answer.findings).toEqual([...findings, ...findings]);
  });

  test("has errors with numbers from 1.34 on", async () => {
    const report = async (release: string, errorCode: number) => {
      const ask = asking(quietCluster({ release }));
      await ask("POST", path, { metadata: { name: "a" }, spec: good });
      const status = { attached: true, attachError: { message: "m", errorCode } };
      return ask("PATCH", `${path}/a/status`, { status });
    };
    expect((await report("1.33", 8)).object.status.attachError).toEqual({ time: null, message: "m" });
    expect((await report("1.34", 8)).object.status.attachError).toEqual({
      time: null,
      message: "m",
      errorCode: 8,
    });
    const finding =
      "status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive";
    expect((await report("1.34", -1)).findings).toEqual([finding, finding]);
  });
});
