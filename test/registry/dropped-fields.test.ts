import { afterAll, describe, expect, test } from "vitest";
import { type Release, releases } from "../../src/apimachinery/release.ts";
import { type Cluster, createCluster } from "../../src/index.ts";
import { container, ofContainer, pod, service, servicesPath, setsPath } from "./every-kind.ts";
import { podsPath } from "./pods.ts";
import { type SendRequest, testClient } from "./test-client.ts";
import { workload } from "./workloads.ts";

/** The releases in which a gate is not locked: the first, the first that enables it by default, and the last. */
interface GateLife {
  readonly first: Release;
  readonly on: Release | undefined;
  readonly last: Release;
}

/** Upstream: pkg/features/kube_features.go of the releases, and the functions that drop fields. */
const lives = {
  AppArmorFields: { first: "1.30", on: "1.30", last: "1.30" },
  BlockVolume: { first: "1.16", on: "1.16", last: "1.17" },
  CSIInlineVolume: { first: "1.16", on: "1.16", last: "1.24" },
  CSIMigration: { first: "1.16", on: "1.17", last: "1.24" },
  CSIServiceAccountTokenSecrets: { first: "1.35", on: "1.35", last: "1.35" },
  ContainerRestartRules: { first: "1.34", on: "1.35", last: "1.36" },
  DRAConsumableCapacity: { first: "1.34", on: "1.36", last: "1.36" },
  DRADeviceBindingConditions: { first: "1.34", on: "1.36", last: "1.36" },
  DRADeviceTaints: { first: "1.35", on: "1.36", last: "1.36" },
  DRAExtendedResource: { first: "1.34", on: "1.36", last: "1.36" },
  DRAListTypeAttributes: { first: "1.36", on: undefined, last: "1.36" },
  DRANodeAllocatableResources: { first: "1.36", on: undefined, last: "1.36" },
  EndpointSliceNodeName: { first: "1.20", on: undefined, last: "1.20" },
  ExpandCSIVolumes: { first: "1.16", on: "1.16", last: "1.23" },
  IPv6DualStack: { first: "1.20", on: "1.21", last: "1.22" },
  ImageVolumeWithDigest: { first: "1.36", on: undefined, last: "1.36" },
  InPlacePodLevelResourcesVerticalScaling: { first: "1.35", on: "1.36", last: "1.36" },
  LocalStorageCapacityIsolation: { first: "1.16", on: "1.16", last: "1.24" },
  MaxUnavailableStatefulSet: { first: "1.24", on: undefined, last: "1.36" },
  PodShareProcessNamespace: { first: "1.16", on: "1.16", last: "1.16" },
  RecursiveReadOnlyMounts: { first: "1.30", on: "1.31", last: "1.32" },
  ResourceHealthStatusMessage: { first: "1.36", on: "1.36", last: "1.36" },
  RunAsGroup: { first: "1.16", on: "1.16", last: "1.20" },
  Sysctls: { first: "1.16", on: "1.16", last: "1.20" },
  TokenRequestProjection: { first: "1.16", on: "1.16", last: "1.19" },
  VolumeLimitScaling: { first: "1.36", on: undefined, last: "1.36" },
  VolumeSubpath: { first: "1.16", on: "1.16", last: "1.22" },
  VolumeSubpathEnvExpansion: { first: "1.16", on: "1.16", last: "1.16" },
  WindowsGMSA: { first: "1.16", on: "1.16", last: "1.17" },
} as const satisfies { readonly [gate: string]: GateLife };

type Gate = keyof typeof lives;
type Row = readonly [gate: Gate, field: string, path: string, body: object];

const mounting = (mount: object): object =>
  pod({
    containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "/v", ...mount }] }],
    volumes: [{ name: "v", emptyDir: {} }],
  });
const volume = (source: object): object => pod({ volumes: [{ name: "v", ...source }] });
const persistent = (spec: object): object => ({
  metadata: { name: "v" },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    csi: {
      driver: "d.example.com",
      volumeHandle: "h",
      controllerExpandSecretRef: { name: "s", namespace: "n" },
    },
    ...spec,
  },
});
const driver = (spec: object): object => ({ metadata: { name: "d.example.com" }, spec });
const claim = (request: object): object => ({
  metadata: { name: "c" },
  spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c", ...request } }] } },
});
const slice = (device: object): object => ({
  metadata: { name: "s" },
  spec: {
    driver: "d.example.com",
    nodeName: "n",
    pool: { name: "p", generation: 1, resourceSliceCount: 1 },
    devices: [{ name: "gpu", ...device }],
  },
});
const volumesPath = "/api/v1/persistentvolumes";
const driversPath = "/apis/storage.k8s.io/v1/csidrivers";
const claimsPath = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const resourceSlicesPath = "/apis/resource.k8s.io/v1/resourceslices";

const onCreate: readonly Row[] = [
  [
    "MaxUnavailableStatefulSet",
    "maxUnavailable",
    setsPath,
    workload("w", { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } } }),
  ],
  ["PodShareProcessNamespace", "shareProcessNamespace", podsPath, pod({ shareProcessNamespace: true })],
  [
    "BlockVolume",
    "volumeDevices",
    podsPath,
    pod({
      containers: [{ ...container, volumeDevices: [{ name: "v", devicePath: "/dev/v" }] }],
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
    }),
  ],
  ["BlockVolume", "volumeMode", volumesPath, persistent({ volumeMode: "Block" })],
  ["VolumeSubpath", "subPath", podsPath, mounting({ subPath: "a" })],
  ["VolumeSubpathEnvExpansion", "subPathExpr", podsPath, mounting({ subPathExpr: "a" })],
  ["CSIInlineVolume", "csi", podsPath, volume({ csi: { driver: "d.example.com" } })],
  ["LocalStorageCapacityIsolation", "sizeLimit", podsPath, volume({ emptyDir: { sizeLimit: "1Gi" } })],
  [
    "TokenRequestProjection",
    "serviceAccountToken",
    podsPath,
    volume({ projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }),
  ],
  [
    "Sysctls",
    "sysctls",
    podsPath,
    pod({ securityContext: { sysctls: [{ name: "kernel.shm_rmid_forced", value: "0" }] } }),
  ],
  ["RunAsGroup", "runAsGroup", podsPath, ofContainer({ securityContext: { runAsUser: 1, runAsGroup: 2 } })],
  [
    "AppArmorFields",
    "appArmorProfile",
    podsPath,
    ofContainer({ securityContext: { appArmorProfile: { type: "RuntimeDefault" } } }),
  ],
  [
    "WindowsGMSA",
    "gmsaCredentialSpecName",
    podsPath,
    pod({ securityContext: { windowsOptions: { gmsaCredentialSpecName: "s" } } }),
  ],
  [
    "ContainerRestartRules",
    "restartPolicyRules",
    podsPath,
    ofContainer({
      restartPolicy: "Never",
      restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }],
    }),
  ],
  ["ExpandCSIVolumes", "controllerExpandSecretRef", volumesPath, persistent({})],
  [
    "EndpointSliceNodeName",
    "nodeName",
    "/apis/discovery.k8s.io/v1beta1/namespaces/default/endpointslices",
    {
      metadata: { name: "s" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.0.0.1"], nodeName: "n" }],
      ports: [],
    },
  ],
  [
    "CSIMigration",
    "inlineVolumeSpec",
    "/apis/storage.k8s.io/v1/volumeattachments",
    {
      metadata: { name: "a" },
      spec: {
        attacher: "d.example.com",
        nodeName: "n",
        source: {
          inlineVolumeSpec: {
            accessModes: ["ReadWriteOnce"],
            csi: { driver: "d.example.com", volumeHandle: "h" },
          },
        },
      },
    },
  ],
  [
    "CSIServiceAccountTokenSecrets",
    "serviceAccountTokenInSecrets",
    driversPath,
    driver({ tokenRequests: [{ audience: "a" }], serviceAccountTokenInSecrets: true }),
  ],
  [
    "VolumeLimitScaling",
    "preventPodSchedulingIfMissing",
    driversPath,
    driver({ preventPodSchedulingIfMissing: true }),
  ],
  ["IPv6DualStack", "ipFamilies", servicesPath, service()],
  ["IPv6DualStack", "ipFamilyPolicy", servicesPath, service({ ipFamilyPolicy: "PreferDualStack" })],
  [
    "DRAConsumableCapacity",
    "capacity",
    claimsPath,
    claim({ capacity: { requests: { "d.example.com/memory": "1Gi" } } }),
  ],
  [
    "DRADeviceTaints",
    "tolerations",
    claimsPath,
    claim({ tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }] }),
  ],
  [
    "DRAConsumableCapacity",
    "allowMultipleAllocations",
    resourceSlicesPath,
    slice({ allowMultipleAllocations: true }),
  ],
  ["DRADeviceBindingConditions", "bindsToNode", resourceSlicesPath, slice({ bindsToNode: true })],
  [
    "DRAListTypeAttributes",
    "ints",
    resourceSlicesPath,
    slice({ attributes: { "d.example.com/a": { ints: [1] } } }),
  ],
  [
    "DRANodeAllocatableResources",
    "nodeAllocatableResourceMappings",
    resourceSlicesPath,
    slice({ nodeAllocatableResourceMappings: { cpu: { allocationMultiplier: "1" } } }),
  ],
];

const ofStatus = (fields: object): object => ({
  containerStatuses: [{ name: "c", image: "i", imageID: "", ready: true, restartCount: 0, ...fields }],
});
const mountOf = { name: "v", mountPath: "/v" };

const requesting = ofContainer({ resources: { requests: { cpu: "1" } } });

/** What `/status` of a pod drops. */
const ofPodStatus: readonly (readonly [gate: Gate, field: string, status: object])[] = [
  ["DRAExtendedResource", "extendedResourceClaimStatus", { extendedResourceClaimStatus: extendedClaim() }],
  [
    "DRANodeAllocatableResources",
    "nodeAllocatableResourceClaimStatuses",
    { nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: "m", containers: ["c"] }] },
  ],
  ["InPlacePodLevelResourcesVerticalScaling", "allocatedResources", { allocatedResources: { cpu: "1" } }],
  ["RecursiveReadOnlyMounts", "volumeMounts", ofStatus({ volumeMounts: [mountOf] })],
  [
    "ImageVolumeWithDigest",
    "volumeStatus",
    ofStatus({ volumeMounts: [{ ...mountOf, volumeStatus: { image: { imageRef: "i@sha256:1" } } }] }),
  ],
  [
    "ResourceHealthStatusMessage",
    "message",
    ofStatus({
      allocatedResourcesStatus: [
        { name: "cpu", resources: [{ resourceID: "r", health: "Unhealthy", message: "hot" }] },
      ],
    }),
  ],
];

function extendedClaim(): object {
  const requestMappings = [{ containerName: "c", resourceName: "example.com/gpu", requestName: "r" }];
  return { resourceClaimName: "c", requestMappings };
}

/** Releases share their clusters: one whose gates are off, one whose gates are on, and one with its own defaults. */
class Clusters {
  readonly #made = new Map<string, Cluster>();

  asking(release: Release, gates: boolean | "default"): SendRequest {
    const title = `${release} ${gates}`;
    const known = this.#made.get(title);
    const cluster = known ?? createCluster({ release, ...options(release, gates) });
    this.#made.set(title, cluster);
    return testClient(cluster.fork());
  }

  async close(): Promise<void> {
    for (const cluster of this.#made.values()) await cluster.close();
  }
}

function options(release: Release, gates: boolean | "default") {
  const names = Object.keys(lives).filter((gate) => isInLife(release, gate as Gate));
  // Gates that need others, or that others need.
  if (isInLife(release, "InPlacePodLevelResourcesVerticalScaling")) {
    names.push(gates === true ? "NodeDeclaredFeatures" : "RestartAllContainersOnContainerExits");
  }
  return {
    controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
    featureGates: gates === "default" ? {} : Object.fromEntries(names.map((name) => [name, gates])),
  };
}

function isInLife(release: Release, gate: Gate): boolean {
  const { first, last } = lives[gate];
  const at = releases.indexOf(release);
  return releases.indexOf(first) <= at && at <= releases.indexOf(last);
}

/** The first and the last release with the gate, and those on both sides of the change of its default. */
function tried(gate: Gate): readonly Release[] {
  const { first, on, last } = lives[gate];
  const before = on === undefined ? undefined : releases[releases.indexOf(on) - 1];
  const all = [first, before, on, last].filter((release) => release !== undefined);
  return [...new Set(all)].filter((release) => isInLife(release, gate));
}

function isOnByDefault(release: Release, gate: Gate): boolean {
  const { on } = lives[gate];
  return on !== undefined && releases.indexOf(on) <= releases.indexOf(release);
}

const clusters = new Clusters();
afterAll(() => clusters.close());

describe("while the gate is off, a create drops", () => {
  test.each(onCreate)("%s: %s", async (gate, field, path, body) => {
    for (const release of tried(gate)) {
      for (const gates of [false, true, "default"] as const) {
        const { object, findings } = await clusters.asking(release, gates)("POST", path, body);
        const { metadata: _metadata, ...kept } = object;
        const isKept = JSON.stringify(kept).includes(`"${field}":`);
        const isOn = gates === "default" ? isOnByDefault(release, gate) : gates;
        // Without the field, the object is refused if it needs it.
        expect({ release, gates, isKept, ...(isOn && { findings }) }).toEqual({
          release,
          gates,
          isKept: isOn,
          ...(isOn && { findings: [] }),
        });
      }
    }
  });
});

describe("while the gate is off, /status of a pod drops", () => {
  test.each(ofPodStatus)("%s: %s", async (gate, field, status) => {
    for (const release of tried(gate)) {
      for (const gates of [false, true, "default"] as const) {
        const ask = clusters.asking(release, gates);
        expect((await ask("POST", podsPath, requesting)).findings).toEqual([]);
        const { object, findings } = await ask("PATCH", `${podsPath}/p/status`, { status });
        const isKept = JSON.stringify(object.status).includes(`"${field}":`);
        const isOn = gates === "default" ? isOnByDefault(release, gate) : gates;
        expect({ release, gates, findings, isKept }).toEqual({ release, gates, findings: [], isKept: isOn });
      }
    }
  });
});

test("kubelets have a dynamic configuration and nodes two networks as the gates of the release say", async () => {
  const networks = ["10.0.0.0/24", "fd00::/64"];
  const configSource = { configMap: { name: "c", namespace: "n", kubeletConfigKey: "k" } };
  const node = { metadata: { name: "n" }, spec: { podCIDRs: networks, configSource } };
  for (const [release, isConfigured, count] of [
    ["1.16", true, 1],
    ["1.20", true, 1],
    ["1.21", true, 2],
    ["1.22", false, 2],
    ["1.36", false, 2],
  ] as const) {
    const { object } = await clusters.asking(release, "default")("POST", "/api/v1/nodes", node);
    const { spec } = object;
    expect([release, spec.configSource !== undefined, spec.podCIDRs.length]).toEqual([
      release,
      isConfigured,
      count,
    ]);
  }
});

test("a pod of 1.20 has one address, unless the gate IPv6DualStack is on", async () => {
  for (const [gates, count] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const ask = clusters.asking("1.20", gates);
    await ask("POST", podsPath, pod());
    const status = { podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] };
    const { object } = await ask("PATCH", `${podsPath}/p/status`, { status });
    expect(object.status.podIPs).toHaveLength(count);
  }
});

test.each([
  ["1.20", {}],
  ["1.21", { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }],
  ["1.22", { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack", internalTrafficPolicy: "Cluster" }],
] as const)("the Service of the API has the fields of the gates of %s", async (release, gated) => {
  const { object } = await clusters.asking(release, "default")("GET", `${servicesPath}/kubernetes`);
  const { ipFamilies, ipFamilyPolicy, internalTrafficPolicy } = object.spec;
  expect({ ipFamilies, ipFamilyPolicy, internalTrafficPolicy }).toEqual(gated);
});

test("users of pods have the namespaces of the host until 1.27 unless the gate of that time is on", async () => {
  const featureGates = { UserNamespacesStatelessPodsSupport: true };
  for (const options of [{}, { featureGates }]) {
    await using cluster = createCluster({
      release: "1.27",
      controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
      ...options,
    });
    const { object } = await testClient(cluster)("POST", podsPath, pod({ hostUsers: false }));
    expect(object.spec.hostUsers).toBe("featureGates" in options ? false : undefined);
  }
});
