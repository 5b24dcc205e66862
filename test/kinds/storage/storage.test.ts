import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const root = "/apis/storage.k8s.io/v1";
const immutable = "field is immutable";

describe("a StorageClass is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    ["no provisioner", { provisioner: "" }, ["provisioner: Required value"]],
    [
      "an invalid provisioner",
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
      "too long parameters",
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
    const send = testClient(quietCluster());
    const body = { metadata: { name: "s" }, provisioner: "x.y/z", ...change };
    expect((await send("POST", `${root}/storageclasses`, body)).findings).toEqual(findings);
  });
});

test("a StorageClass is immutable, and warns about deprecated labels", async () => {
  const send = testClient(quietCluster());
  const key = "failure-domain.beta.kubernetes.io/zone";
  const allowedTopologies = [{ matchLabelExpressions: [{ key, values: ["a"] }] }];
  const body = { metadata: { name: "s" }, provisioner: "x.y/z", allowedTopologies };
  expect((await send("POST", `${root}/storageclasses`, body)).warnings).toEqual([
    'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ]);
  const change = {
    provisioner: "b",
    parameters: { a: "b" },
    reclaimPolicy: "Retain",
    volumeBindingMode: "Z",
  };
  expect((await send("PATCH", `${root}/storageclasses/s`, change)).findings).toEqual([
    'volumeBindingMode: Unsupported value: "Z": supported values: "Immediate", "WaitForFirstConsumer"',
    "parameters: Forbidden: updates to parameters are forbidden.",
    "provisioner: Forbidden: updates to provisioner are forbidden.",
    "reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.",
    `volumeBindingMode: Invalid value: "Z": ${immutable}`,
  ]);
});

test("a StorageClass defaults to deletion and immediate binding, and may allow expansion", async () => {
  const send = testClient(quietCluster());
  const { object } = await send("POST", `${root}/storageclasses`, {
    metadata: { name: "s" },
    provisioner: "p",
  });
  expect(object).toMatchObject({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
  const changed = await send("PATCH", `${root}/storageclasses/s`, { allowVolumeExpansion: true });
  expect(changed.object.allowVolumeExpansion).toBe(true);
});

describe("a VolumeAttributesClass", () => {
  const path = "/apis/storage.k8s.io/v1beta1/volumeattributesclasses";
  const options = {
    runtimeConfig: new Map([["storage.k8s.io/v1beta1", true]]),
    featureGates: new Map([["VolumeAttributesClass", true]]),
  };

  test("is refused without a driver and parameters", async () => {
    const send = testClient(quietCluster(options));
    expect((await send("POST", path, { metadata: { name: "v" }, driverName: "" })).findings).toEqual([
      "driverName: Required value",
      "parameters: Required value: must contain at least one key/value pair",
    ]);
  });

  test("is immutable", async () => {
    const send = testClient(quietCluster(options));
    await send("POST", path, { metadata: { name: "v" }, driverName: "d", parameters: { a: "b" } });
    const change = { driverName: "e", parameters: { a: "c", "": "d" } };
    const empty = 'parameters: Invalid value: "": field can not be empty.';
    expect((await send("PATCH", `${path}/v`, change)).findings).toEqual([
      empty,
      "driverName: Forbidden: updates to driverName are forbidden.",
      "parameters: Forbidden: updates to parameters are forbidden.",
      empty,
    ]);
    expect((await send("PATCH", `${path}/v`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
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
      "invalid names",
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
      "an inline volume with its own lifecycle",
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
    const send = testClient(quietCluster());
    expect((await send("POST", path, { metadata: { name: "a" }, spec })).findings).toEqual(findings);
  });

  test("cannot change its spec, nor its metadata on status updates", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, { metadata: { name: "a" }, spec: good, status: { attached: true } });
    expect((await send("PATCH", `${path}/a`, { spec: { nodeName: "m" } })).findings).toEqual([
      `spec: Invalid value: storage.VolumeAttachmentSpec{Attacher:"d.io", Source:storage.VolumeAttachmentSource{PersistentVolumeName:(*string)(0xc000000000), InlineVolumeSpec:(*core.PersistentVolumeSpec)(nil)}, NodeName:"m"}: ${immutable}`,
    ]);
    const report = { metadata: { labels: { a: "b" } }, status: { attached: true } };
    const { object } = await send("PATCH", `${path}/a/status`, report);
    expect(object.status.attached).toBe(true);
    expect(object.metadata.labels).toBeUndefined();
  });

  test("may contain its volume", async () => {
    const send = testClient(quietCluster());
    const csi = { driver: "d.io", volumeHandle: "h" };
    const inlineVolumeSpec = { accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem", csi };
    const spec = { ...good, source: { inlineVolumeSpec } };
    expect((await send("POST", path, { metadata: { name: "a" }, spec })).code).toBe(201);
  });

  test("limits the length of its status, and reports errors twice", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, { metadata: { name: "a" }, spec: good });
    const attachmentMetadata = { a: "x".repeat(256 * 1024) };
    const message = "x".repeat(1025);
    const status = { attached: true, attachmentMetadata, attachError: { message }, detachError: { message } };
    const findings = [
      "status.attachmentMetadata: Too long: may not be more than 262144 bytes",
      "status.attachError.message: Too long: may not be more than 262144 bytes",
      "status.detachError.message: Too long: may not be more than 262144 bytes",
    ];
    const answer = await send("PATCH", `${path}/a/status`, { status });
    expect(answer.findings).toEqual([...findings, ...findings]);
  });

  test("has error codes since 1.35", async () => {
    const report = async (release: string, errorCode: number) => {
      const send = testClient(quietCluster({ release }));
      await send("POST", path, { metadata: { name: "a" }, spec: good });
      const status = { attached: true, attachError: { message: "m", errorCode } };
      return send("PATCH", `${path}/a/status`, { status });
    };
    expect((await report("1.34", 8)).object.status.attachError).toEqual({ time: null, message: "m" });
    expect((await report("1.35", 8)).object.status.attachError).toEqual({
      time: null,
      message: "m",
      errorCode: 8,
    });
    const finding =
      "status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive";
    expect((await report("1.35", -1)).findings).toEqual([finding, finding]);
  });
});
