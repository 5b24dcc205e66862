import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

const path = "/api/v1/persistentvolumes";
const good = {
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce"],
  hostPath: { path: "/x" },
};
const csi = { driver: "x.y", volumeHandle: "h" };

describe("a PersistentVolume is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "nothing at all",
      { capacity: null, accessModes: null, hostPath: null },
      [
        "spec.accessModes: Required value",
        "spec.capacity: Required value",
        'spec.capacity: Unsupported value: core.ResourceList(nil): supported values: "storage"',
        "spec: Required value: must specify a volume type",
      ],
    ],
    [
      "modes",
      { accessModes: ["Q", "ReadWriteOncePod", "ReadOnlyMany"] },
      [
        'spec.accessModes: Unsupported value: "Q": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
      ],
    ],
    [
      "no room",
      { capacity: { storage: "0" } },
      ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      "policies, modes and classes",
      { persistentVolumeReclaimPolicy: "Z", volumeMode: "Z", storageClassName: "A_" },
      [
        'spec.persistentVolumeReclaimPolicy: Unsupported value: "Z": supported values: "Delete", "Recycle", "Retain"',
        expect.stringContaining('spec.storageClassName: Invalid value: "A_": a lowercase RFC 1123 subdomain'),
        'spec.volumeMode: Unsupported value: "Z": supported values: "Block", "Filesystem"',
      ],
    ],
    [
      "two sources",
      { nfs: { server: "a", path: "b" } },
      ["spec.nfs: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      "a root that is recycled",
      { hostPath: { path: "/a/.." }, persistentVolumeReclaimPolicy: "Recycle" },
      [
        "spec.hostPath.path: Invalid value: \"/a/..\": must not contain '..'",
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      ],
    ],
    [
      "a local volume that is nowhere",
      { hostPath: null, local: { path: "" } },
      [
        "spec.local.path: Required value",
        "spec.nodeAffinity: Required value: Local volume requires node affinity",
      ],
    ],
    [
      "an affinity that asks for nothing",
      { nodeAffinity: {} },
      ["spec.nodeAffinity.required: Required value: must specify required node constraints"],
    ],
    [
      "a driver without a volume",
      { hostPath: null, csi: { driver: "", nodePublishSecretRef: {} } },
      [
        "spec.csi.driver: Required value",
        expect.stringContaining("spec.csi.driver: Invalid value"),
        "spec.csi.volumeHandle: Required value",
        "spec.csi.nodePublishSecretRef.name: Required value",
        "spec.csi.nodePublishSecretRef.namespace: Required value",
      ],
    ],
    [
      "a namespace that is none",
      { hostPath: null, glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "" } },
      [
        'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
      ],
    ],
    [
      "a disk, under another name",
      { hostPath: null, gcePersistentDisk: {} },
      ["spec.persistentDisk.pdName: Required value"],
    ],
  ])("%s", async (_title, change, findings) => {
    const ask = asking(quietCluster());
    const body = { metadata: { name: "v" }, spec: { ...good, ...change } };
    expect((await ask("POST", path, body)).findings).toEqual(findings);
  });
});

describe("a PersistentVolume", () => {
  test("is pending from now on, whatever it says", async () => {
    const ask = asking(quietCluster());
    const body = { metadata: { name: "v" }, spec: good, status: { phase: "Bound" } };
    const { status } = (await ask("POST", path, body)).object;
    expect(status).toEqual({ phase: "Pending", lastPhaseTransitionTime: expect.any(String) });
  });

  test.each<[string, object, object, readonly unknown[]]>([
    [
      "source",
      good,
      { hostPath: { path: "/y" } },
      [
        expect.stringMatching(
          /^spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n/,
        ),
      ],
    ],
    ["mode", good, { volumeMode: "Block" }, ['volumeMode: Invalid value: "Block": field is immutable']],
  ])("keeps its %s", async (_title, spec, change, findings) => {
    const ask = asking(quietCluster());
    await ask("POST", path, { metadata: { name: "v" }, spec });
    expect((await ask("PATCH", `${path}/v`, { spec: change })).findings).toEqual(findings);
  });

  test("is given the secret for its growth later, once", async () => {
    const ask = asking(quietCluster());
    const { hostPath: _none, ...rest } = good;
    await ask("POST", path, { metadata: { name: "v" }, spec: { ...rest, csi } });
    const secret = (name: string) => ({
      spec: { csi: { controllerExpandSecretRef: { name, namespace: "n" } } },
    });
    expect((await ask("PATCH", `${path}/v`, secret("a"))).code).toBe(200);
    expect((await ask("PATCH", `${path}/v`, secret("b"))).code).toBe(422);
  });

  test("warns of what is no more", async () => {
    const ask = asking(quietCluster());
    const metadata = { name: "v", annotations: { "volume.beta.kubernetes.io/mount-options": "x" } };
    const nodeSelectorTerms = [{ matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }] }];
    const spec = {
      ...good,
      hostPath: null,
      rbd: { monitors: ["m"], image: "i" },
      persistentVolumeReclaimPolicy: "Recycle",
      nodeAffinity: { required: { nodeSelectorTerms } },
    };
    expect((await ask("POST", path, { metadata, spec })).warnings).toEqual([
      'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
      "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
    ]);
  });
});

describe("a PersistentVolumeClaim", () => {
  const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } };
  const asks = (storage: string) => ({ spec: { resources: { requests: { storage } } } });

  async function bound(): Promise<ReturnType<typeof asking>> {
    const ask = asking(quietCluster());
    const provisioner = { metadata: { name: "s" }, provisioner: "x", allowVolumeExpansion: true };
    await ask("POST", "/apis/storage.k8s.io/v1/storageclasses", provisioner);
    await ask("POST", claims, { metadata: { name: "c" }, spec: { ...spec, storageClassName: "s" } });
    const status = { phase: "Bound", capacity: { storage: "1Gi" } };
    await ask("PATCH", `${claims}/c/status`, { status });
    return ask;
  }

  test("may grow when it is bound, and shrink to more than there is", async () => {
    const ask = await bound();
    expect((await ask("PATCH", `${claims}/c`, asks("3Gi"))).code).toBe(200);
    expect((await ask("PATCH", `${claims}/c`, asks("1500Mi"))).code).toBe(200);
    expect((await ask("PATCH", `${claims}/c`, asks("1Gi"))).findings).toEqual([
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity",
    ]);
  });

  test("keeps the rest of its spec", async () => {
    const ask = await bound();
    expect((await ask("PATCH", `${claims}/c`, { spec: { storageClassName: "t" } })).findings).toEqual([
      expect.stringMatching(
        /^spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n/,
      ),
    ]);
    expect((await ask("PATCH", `${claims}/c`, { spec: { volumeName: "v" } })).code).toBe(200);
  });

  test.each<[string, object, object]>([
    [
      "a claim",
      { dataSource: { kind: "PersistentVolumeClaim", name: "o" } },
      { kind: "PersistentVolumeClaim", name: "o" },
    ],
    [
      "anything, by the newer field",
      { dataSourceRef: { apiGroup: "x.io", kind: "K", name: "o" } },
      { apiGroup: "x.io", kind: "K", name: "o" },
    ],
  ])("is filled from %s, and says so twice", async (_title, source, expected) => {
    const ask = asking(quietCluster());
    const { object } = await ask("POST", claims, { metadata: { name: "c" }, spec: { ...spec, ...source } });
    expect(object.spec).toMatchObject({ dataSource: expected, dataSourceRef: expected });
  });

  test("forgets a source that the older field cannot have", async () => {
    const ask = asking(quietCluster());
    const dataSource = { apiGroup: "x.io", kind: "K", name: "o" };
    const { object } = await ask("POST", claims, { metadata: { name: "c" }, spec: { ...spec, dataSource } });
    expect(object.spec.dataSource).toBeUndefined();
  });

  test("is reported on in terms of storage", async () => {
    const ask = await bound();
    const status = {
      capacity: { storage: "-1" },
      allocatedResourceStatuses: { cpu: "Q" },
      allocatedResources: { memory: "1" },
    };
    expect((await ask("PATCH", `${claims}/c/status`, { status })).findings).toEqual([
      "status.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
      'status.allocatedResourceStatus: Unsupported value: "cpu": supported values: "storage"',
      'status.allocatedResourceStatus: Unsupported value: "cpu": supported values: "ControllerResizeFailed", "ControllerResizeInProgress", "NodeResizeFailed", "NodeResizeInProgress", "NodeResizePending"',
      'status.allocatedResources: Unsupported value: "memory": supported values: "storage"',
    ]);
  });
});
