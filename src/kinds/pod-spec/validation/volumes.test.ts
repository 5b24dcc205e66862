import { describe, expect, test } from "vitest";
import { askingForPods, podSpecFindings, podsPath } from "../../../../test/registry/pods.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

type Row = readonly [title: string, volume: JsonObject, findings: readonly unknown[]];

/** Expects these errors below the volume `v`. */
function check(_title: string, volume: JsonObject, findings: readonly unknown[]): void {
  const found = podSpecFindings({ volumes: [{ name: "v", ...volume }] });
  expect(found.map((finding) => finding.replace(/^spec\.volumes\[0\]\.?/, ""))).toEqual(findings);
}

const subdomain = expect.stringContaining("a lowercase RFC 1123 subdomain must consist of");
const label = expect.stringContaining("a lowercase RFC 1123 label must consist of");
const mode = "must be a number between 0 and 0777 (octal), both inclusive";
const hostPorts = "must be a host:port pair or multiple pairs separated by commas";

describe("a volume is refused for", () => {
  test.each<Row>([
    ["no name", { name: "", emptyDir: {} }, ["name: Required value"]],
    ["a name that is not a DNS label", { name: "A", emptyDir: {} }, [label]],
    [
      "two sources",
      { emptyDir: {}, hostPath: { path: "/a" } },
      ["hostPath: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      "a claim without a name",
      { persistentVolumeClaim: {} },
      ["persistentVolumeClaim.claimName: Required value"],
    ],
  ])("%s", check);

  test("a duplicate name", () => {
    const volume = { name: "v", emptyDir: {} };
    expect(podSpecFindings({ volumes: [volume, volume] })).toEqual([
      'spec.volumes[1].name: Duplicate value: "v"',
    ]);
  });

  test("a name that makes the claim name too long", async () => {
    const name = Array.from({ length: 4 }, () => "p".repeat(60)).join(".");
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } };
    const volume = { name: "v".repeat(20), ephemeral: { volumeClaimTemplate: { spec } } };
    const pod = { metadata: { name }, spec: { containers: [{ name: "c", image: "i" }], volumes: [volume] } };
    expect((await askingForPods()("POST", podsPath, pod)).findings).toEqual([
      `spec.volumes[0].name: Invalid value: "${volume.name}": PVC name "${name}-${volume.name}": must be no more than 253 characters`,
    ]);
  });

  test("a source that its release does not support", async () => {
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } };
    const volumes = [{ name: "v", ephemeral: { volumeClaimTemplate: { spec } } }];
    const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }], volumes } };
    expect((await askingForPods("1.20")("POST", podsPath, pod)).findings).toEqual([
      "spec.volumes[0]: Required value: must specify a volume type",
    ]);
  });

  test("the claim of an ephemeral volume", () => {
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } };
    const volumes = [
      { name: "e", ephemeral: { volumeClaimTemplate: { spec } } },
      { name: "v", persistentVolumeClaim: { claimName: "p-e" } },
    ];
    expect(podSpecFindings({ volumes })).toEqual([
      'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-e": must not reference a PVC that gets created for an ephemeral volume',
    ]);
  });
});

describe("files are refused for", () => {
  test.each<Row>([
    [
      "no source, and an invalid mode",
      { configMap: { defaultMode: 0o1000 } },
      ["configMap.name: Required value", `configMap.defaultMode: Invalid value: 512: ${mode}`],
    ],
    [
      "items without key and path",
      { secret: { secretName: "s", items: [{}] } },
      ["secret.items[0].key: Required value", "secret.items[0].path: Required value"],
    ],
    [
      "paths outside the volume",
      {
        secret: {
          secretName: "s",
          items: ["/a", "a/../b", "..a"].map((path) => ({ key: "k", path, mode: -1 })),
        },
      },
      [
        'secret.items[0].path: Invalid value: "/a": must be a relative path',
        `secret.items[0].mode: Invalid value: -1: ${mode}`,
        "secret.items[1].path: Invalid value: \"a/../b\": must not contain '..'",
        `secret.items[1].mode: Invalid value: -1: ${mode}`,
        "secret.items[2].path: Invalid value: \"..a\": must not start with '..'",
        `secret.items[2].mode: Invalid value: -1: ${mode}`,
      ],
    ],
    [
      "invalid or ambiguous field references",
      {
        downwardAPI: {
          items: [
            { path: "a" },
            {
              path: "b",
              fieldRef: { fieldPath: "metadata.name" },
              resourceFieldRef: { resource: "limits.cpu", containerName: "c" },
            },
            { fieldRef: { fieldPath: "metadata.name" } },
            { path: "c", fieldRef: { fieldPath: "spec.nodeName" } },
            { path: "d", resourceFieldRef: { resource: "limits.cpu" } },
          ],
        },
      },
      [
        "downwardAPI: Required value: one of fieldRef and resourceFieldRef is required",
        'downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
        "downwardAPI.path: Required value",
        'downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
        "downwardAPI.resourceFieldRef.containerName: Required value",
      ],
    ],
    [
      "conflicting sources",
      {
        projected: {
          sources: [
            { configMap: { name: "a", items: [{ key: "k", path: "p" }] } },
            { secret: { name: "b", items: [{ key: "k", path: "p" }] } },
            { downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "metadata.name" } }] } },
            { configMap: {}, secret: { name: "b" } },
          ],
        },
      },
      [
        'projected: Invalid value: "b": conflicting duplicate paths',
        'projected: Invalid value: "p": conflicting duplicate paths',
        "projected.sources[3].configMap.name: Required value",
        "projected.sources[3]: Forbidden: may not specify more than 1 volume type per source",
      ],
    ],
    [
      "tokens with invalid lifetimes and paths",
      {
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 1, path: "a" } },
            { serviceAccountToken: { expirationSeconds: 2 ** 33 } },
          ],
        },
      },
      [
        "projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes",
        "projected.sources[1].serviceAccountToken.expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds",
        "projected.path: Required value",
      ],
    ],
  ])("%s", check);
});

describe("an ephemeral claim is refused for", () => {
  test.each<Row>([
    ["no template", { ephemeral: {} }, ["ephemeral.volumeClaimTemplate: Required value"]],
    [
      "unsupported metadata, and an empty spec",
      { ephemeral: { volumeClaimTemplate: { metadata: { name: "a", finalizers: ["a/b"] }, spec: {} } } },
      [
        "ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set",
        "ephemeral.volumeClaimTemplate.metadata.finalizers: Forbidden: cannot be set",
        "ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required",
        "ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value",
      ],
    ],
  ])("%s", check);
});

describe("a volume of the node is refused for", () => {
  test.each<Row>([
    [
      "a negative size",
      { emptyDir: { sizeLimit: "-1" } },
      ["emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"],
    ],
    ["no path", { hostPath: {} }, ["hostPath.path: Required value"]],
    [
      "a path with .. and an unknown type",
      { hostPath: { path: "/a/..", type: "X" } },
      [
        "hostPath.path: Invalid value: \"/a/..\": must not contain '..'",
        expect.stringContaining('hostPath.type: Unsupported value: "X": supported values: "", "BlockDevice"'),
      ],
    ],
    [
      "an image without a reference",
      { image: { pullPolicy: "X" } },
      [
        "image.reference: Required value",
        'image.pullPolicy: Unsupported value: "X": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ],
    [
      "no repository",
      { gitRepo: { directory: "/a" } },
      [
        "gitRepo.repository: Required value",
        'gitRepo.directory: Invalid value: "/a": must be a relative path',
      ],
    ],
  ])("%s", check);
});

describe("a network volume is refused for", () => {
  test.each<Row>([
    [
      "an invalid Google disk",
      { gcePersistentDisk: { partition: 256 } },
      [
        "persistentDisk.pdName: Required value",
        "persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive",
      ],
    ],
    ["no volume of Amazon", { awsElasticBlockStore: {} }, ["awsElasticBlockStore.volumeID: Required value"]],
    [
      "no server",
      { nfs: { path: "a" } },
      ["nfs.server: Required value", 'nfs.path: Invalid value: "a": must be an absolute path'],
    ],
    [
      "no target, and invalid names",
      { iscsi: { iqn: "abc", lun: 300, chapAuthSession: true, initiatorName: "eui.1" } },
      [
        "iscsi.targetPortal: Required value",
        'iscsi.iqn: Invalid value: "abc": must be valid format starting with iqn, eui, or naa',
        "iscsi.lun: Invalid value: 300: must be between 0 and 255, inclusive",
        "iscsi.secretRef: Required value",
        'iscsi.initiatorname: Invalid value: "eui.1": must be valid format',
      ],
    ],
    [
      "a portal name that is too long",
      {
        iscsi: {
          targetPortal: "a".repeat(63),
          iqn: "iqn.2020-01.a:b",
          lun: 0,
          initiatorName: "iqn.2020-01.a:b",
        },
      },
      [
        'name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
      ],
    ],
    [
      "no endpoints",
      { glusterfs: {} },
      ["glusterfs.endpoints: Required value", "glusterfs.path: Required value"],
    ],
    [
      "no dataset",
      { flocker: {} },
      ["flocker: Required value: one of datasetName and datasetUUID is required"],
    ],
    [
      "a dataset with both name and UUID",
      { flocker: { datasetName: "a/b", datasetUUID: "u" } },
      [
        'flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
        "flocker.datasetName: Invalid value: \"a/b\": must not contain '/'",
      ],
    ],
    ["no monitors", { rbd: {} }, ["rbd.monitors: Required value", "rbd.image: Required value"]],
    [
      "a secret without a name",
      { cinder: { volumeID: "a", secretRef: {} } },
      ["cinder.secretRef.name: Required value"],
    ],
    ["no monitors of Ceph", { cephfs: {} }, ["cephfs.monitors: Required value"]],
    [
      "no registry",
      { quobyte: {} },
      [`quobyte.registry: Required value: ${hostPorts}`, "quobyte.volume: Required value"],
    ],
    [
      "a registry that is not an address",
      { quobyte: { registry: "a:1,b", volume: "v" } },
      [`quobyte.registry: Invalid value: "a:1,b": ${hostPorts}`],
    ],
    [
      "an invalid tenant",
      { quobyte: { registry: "a:1", volume: "v", tenant: "t".repeat(65) } },
      ["quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters"],
    ],
    [
      "no WWNs or WWIDs",
      { fc: {} },
      ["fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both"],
    ],
    [
      "both WWNs and WWIDs",
      { fc: { targetWWNs: ["a"], wwids: ["b"] } },
      [
        'fc.targetWWNs: Invalid value: []string{"a"}: targetWWNs and wwids can not be specified simultaneously',
        "fc.lun: Required value: lun is required if targetWWNs is specified",
      ],
    ],
    [
      "no driver, and reserved options",
      { flexVolume: { options: { "a.k8s.io/b": "c" } } },
      [
        "flexVolume.driver: Required value",
        'flexVolume.options[a.k8s.io/b]: Invalid value: "a.k8s.io/b": kubernetes.io and k8s.io namespaces are reserved',
      ],
    ],
    [
      "no share",
      { azureFile: {} },
      ["azureFile.secretName: Required value", "azureFile.shareName: Required value"],
    ],
    [
      "an Azure disk without a URI",
      { azureDisk: { diskName: "a", diskURI: "b", cachingMode: "X", kind: "Managed" } },
      [
        'azureDisk.cachingMode: Unsupported value: "X": supported values: "None", "ReadOnly", "ReadWrite"',
        'azureDisk.diskURI: Unsupported value: "b": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
    ],
    ["no path of vSphere", { vsphereVolume: {} }, ["vsphereVolume.volumePath: Required value"]],
    ["no disk of Photon", { photonPersistentDisk: {} }, ["photonPersistentDisk.pdID: Required value"]],
    ["no volume of Portworx", { portworxVolume: {} }, ["portworxVolume.volumeID: Required value"]],
    ["no name of a volume of StorageOS", { storageos: {} }, ["storageos.volumeName: Required value"]],
    [
      "names that are not DNS labels",
      { storageos: { volumeName: "A", volumeNamespace: "B", secretRef: {} } },
      [label, label, "storageos.secretRef.name: Required value"],
    ],
    [
      "no gateway",
      { scaleIO: {} },
      ["gateway", "system", "volumeName"].map((field) => `scaleIO.${field}: Required value`),
    ],
    [
      "no CSI driver, and a secret without a name",
      { csi: { nodePublishSecretRef: {} } },
      ["csi.driver: Required value", subdomain, "csi.nodePublishSecretRef.name: Required value"],
    ],
    [
      "a CSI driver with too long a name",
      { csi: { driver: "a".repeat(64) } },
      ["csi.driver: Too long: may not be more than 63 bytes"],
    ],
  ])("%s", check);
});
