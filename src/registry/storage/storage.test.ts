import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

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
    "parameters: Forbidden: updates to parameters are forbidden.",
    "provisioner: Forbidden: updates to provisioner are forbidden.",
    "reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.",
    `volumeBindingMode: Invalid value: "Z": ${immutable}`,
  ]);
});

test("a CSIDriver is refused for what it cannot need, and keeps how it attaches", async () => {
  const ask = asking(quietCluster());
  const path = `${root}/csidrivers`;
  const spec = {
    fsGroupPolicy: "Q",
    volumeLifecycleModes: ["Z"],
    tokenRequests: [
      { audience: "a", expirationSeconds: 1 },
      { audience: "a" },
      { audience: "b", expirationSeconds: 2 ** 33 },
    ],
  };
  expect((await ask("POST", path, { metadata: { name: "d" }, spec })).findings).toEqual([
    'spec.fsGroupPolicy: Unsupported value: "Q": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    "spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes",
    'spec.tokenRequests[1].audience: Duplicate value: "a"',
    "spec.tokenRequests[2].expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds",
    'spec.volumeLifecycleModes: Unsupported value: "Z": supported values: "Persistent", "Ephemeral"',
  ]);
  await ask("POST", path, { metadata: { name: "d" }, spec: {} });
  const change = { spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } };
  expect((await ask("PATCH", `${path}/d`, change)).findings).toEqual([
    `spec.attachedRequired: Invalid value: false: ${immutable}`,
    `spec.volumeLifecycleModes: Invalid value: []storage.VolumeLifecycleMode{"Ephemeral"}: ${immutable}`,
  ]);
  const { object } = await ask("PATCH", `${path}/d`, { spec: { requiresRepublish: true } });
  expect(object.metadata.generation).toBe(2);
});

test("a CSINode lists drivers once, each as it is", async () => {
  const ask = asking(quietCluster());
  const path = `${root}/csinodes`;
  const drivers = [
    { name: "d", nodeID: "" },
    { name: "d", nodeID: "x".repeat(193), allocatable: { count: -1 }, topologyKeys: ["a", "a"] },
  ];
  expect((await ask("POST", path, { metadata: { name: "n" }, spec: { drivers } })).findings).toEqual([
    "spec.drivers[0].nodeID: Required value",
    `spec.drivers[1].nodeID: Invalid value: "${"x".repeat(193)}": must be 192 characters or less`,
    "spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to 0",
    'spec.drivers[1].name: Duplicate value: "d"',
    'spec.drivers[1]: Duplicate value: "a"',
  ]);
  const spec = (nodeID: string) => ({ spec: { drivers: [{ name: "d", nodeID }] } });
  await ask("POST", path, { metadata: { name: "n" }, ...spec("a") });
  expect((await ask("PATCH", `${path}/n`, spec("b"))).findings).toEqual([
    `spec.drivers: Invalid value: storage.CSINodeDriver{Name:"d", NodeID:"b", TopologyKeys:[]string(nil), Allocatable:(*storage.VolumeNodeResources)(nil)}: ${immutable}`,
  ]);
});

test("a CSIStorageCapacity is of one class in one place", async () => {
  const ask = asking(quietCluster());
  const path = `${root}/namespaces/default/csistoragecapacities`;
  const body = { metadata: { name: "c" }, storageClassName: "A", capacity: "-1" };
  expect((await ask("POST", path, body)).findings).toEqual([
    expect.stringContaining('storageClassName: Invalid value: "A": a lowercase RFC 1123 subdomain'),
    'capacity: Invalid value: "-1": must be greater than or equal to 0',
  ]);
  await ask("POST", path, { metadata: { name: "c" }, storageClassName: "a" });
  const change = { storageClassName: "b", nodeTopology: { matchLabels: { a: "b" } } };
  expect((await ask("PATCH", `${path}/c`, change)).findings).toEqual([
    `nodeTopology: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"a":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: ${immutable}`,
    `storageClassName: Invalid value: "b": ${immutable}`,
  ]);
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
            capacity: { storage: "1Gi" },
            accessModes: ["ReadWriteOnce"],
            persistentVolumeReclaimPolicy: "Delete",
            storageClassName: "s",
            volumeMode: "Block",
            hostPath: { path: "/x" },
          },
        },
      },
      [
        "capacity: Forbidden: may not be specified in the context of inline volumes",
        "csi: Required value: has to be specified in the context of inline volumes",
        "persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes",
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
});
