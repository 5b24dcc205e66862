import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "./test-client.ts";
import { podTemplate, workload } from "./workloads.ts";

const core = "/api/v1";
const namespaced = `${core}/namespaces/default`;
const storage = "/apis/storage.k8s.io/v1";
const networking = "/apis/networking.k8s.io/v1";
const rbac = "/apis/rbac.authorization.k8s.io/v1";

/** The collection of each kind, and a valid object. */
const kinds = {
  APIService: [
    "/apis/apiregistration.k8s.io/v1/apiservices",
    { spec: { group: "x.io", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 } },
  ],
  ClusterRole: [`${rbac}/clusterroles`, { rules: [] }],
  ClusterRoleBinding: [`${rbac}/clusterrolebindings`, { roleRef: { kind: "ClusterRole", name: "r" } }],
  ConfigMap: [`${namespaced}/configmaps`, {}],
  ControllerRevision: [
    "/apis/apps/v1/namespaces/default/controllerrevisions",
    { revision: 1, data: { a: 1 } },
  ],
  CSIDriver: [`${storage}/csidrivers`, { spec: {} }],
  CSINode: [`${storage}/csinodes`, { spec: { drivers: [] } }],
  EndpointSlice: [
    "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
    { addressType: "IPv4", endpoints: [] },
  ],
  Endpoints: [`${namespaced}/endpoints`, {}],
  Event: [`${namespaced}/events`, { involvedObject: { namespace: "default" } }],
  FlowSchema: [
    "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
    { spec: { priorityLevelConfiguration: { name: "exempt" } } },
  ],
  Ingress: [
    `${networking}/namespaces/default/ingresses`,
    { spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } } },
  ],
  IngressClass: [`${networking}/ingressclasses`, { spec: { controller: "a.b/c" } }],
  Lease: ["/apis/coordination.k8s.io/v1/namespaces/default/leases", { spec: {} }],
  LimitRange: [`${namespaced}/limitranges`, { spec: { limits: [] } }],
  MutatingWebhookConfiguration: [
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    { webhooks: [] },
  ],
  Namespace: [`${core}/namespaces`, {}],
  NetworkPolicy: [`${networking}/namespaces/default/networkpolicies`, { spec: { podSelector: {} } }],
  Node: [`${core}/nodes`, {}],
  PersistentVolume: [
    `${core}/persistentvolumes`,
    { spec: { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } },
  ],
  PersistentVolumeClaim: [
    `${namespaced}/persistentvolumeclaims`,
    { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } },
  ],
  PodDisruptionBudget: ["/apis/policy/v1/namespaces/default/poddisruptionbudgets", { spec: {} }],
  PodTemplate: [`${namespaced}/podtemplates`, { template: podTemplate() }],
  PriorityClass: ["/apis/scheduling.k8s.io/v1/priorityclasses", { value: 1 }],
  PriorityLevelConfiguration: [
    "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
    { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } },
  ],
  ReplicaSet: ["/apis/apps/v1/namespaces/default/replicasets", workload("w")],
  Role: [`${rbac}/namespaces/default/roles`, { rules: [] }],
  RoleBinding: [
    `${rbac}/namespaces/default/rolebindings`,
    { roleRef: { kind: "ClusterRole", name: "view" } },
  ],
  RuntimeClass: ["/apis/node.k8s.io/v1/runtimeclasses", { handler: "h" }],
  Secret: [`${namespaced}/secrets`, {}],
  ServiceAccount: [`${namespaced}/serviceaccounts`, {}],
  StorageClass: [`${storage}/storageclasses`, { provisioner: "a.b/c" }],
  ValidatingWebhookConfiguration: [
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    { webhooks: [] },
  ],
  VolumeAttachment: [
    `${storage}/volumeattachments`,
    { spec: { attacher: "d.io", nodeName: "n", source: { persistentVolumeName: "v" } } },
  ],
} as const satisfies { readonly [kind: string]: readonly [path: string, body: object] };

type Kind = keyof typeof kinds;

function nameOf(kind: Kind): string {
  return kind === "APIService" ? "v1.x.io" : "o";
}

function objectOf(kind: Kind, metadata: object = {}): object {
  return { ...kinds[kind][1], metadata: { name: nameOf(kind), ...metadata } };
}

async function madeOf(kind: Kind): Promise<ReturnType<typeof testClient>> {
  const send = testClient(quietCluster());
  const made = await send("POST", kinds[kind][0], objectOf(kind));
  expect(made.findings).toEqual([]);
  return send;
}

// Upstream's rest.BeforeUpdate validates metadata twice, alone and as a change. Further findings come from the kind.
const timesChecked: readonly (readonly [times: number, ...Kind[]])[] = [
  [2, "Event", "PodDisruptionBudget"],
  [3, "CSIDriver", "EndpointSlice", "FlowSchema", "Lease", "LimitRange"],
  [3, "PodTemplate", "PriorityClass", "PriorityLevelConfiguration"],
  [3, "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
  [4, "APIService", "ConfigMap", "ControllerRevision", "CSINode", "Endpoints", "Ingress", "IngressClass"],
  [4, "Namespace", "NetworkPolicy", "Node", "PersistentVolume", "ReplicaSet", "RuntimeClass", "Secret"],
  [4, "ServiceAccount", "StorageClass", "VolumeAttachment"],
  [5, "ClusterRole", "ClusterRoleBinding", "PersistentVolumeClaim", "Role", "RoleBinding"],
];

describe("an invalid label is reported", () => {
  const labels = { a: "b c" };
  const all = timesChecked.flatMap(([times, ...names]) => names.map((kind) => [kind, times] as const));

  test.each(all)("for a changed %s %i times", async (kind, times) => {
    const send = await madeOf(kind);
    const path = `${kinds[kind][0]}/${nameOf(kind)}`;
    const { findings } = await send("PATCH", path, { metadata: { labels } });
    expect(findings).toHaveLength(times);
    expect(new Set(findings)).toEqual(
      new Set([expect.stringMatching(/^metadata\.labels: Invalid value: "b c": a valid label must be /)]),
    );
  });

  test.each(all)("for a new %s once", async (kind) => {
    const { findings } = await testClient(quietCluster())("POST", kinds[kind][0], objectOf(kind, { labels }));
    expect(findings).toHaveLength(1);
  });
});

describe("a finalizer that is not qualified", () => {
  const body = { finalizers: ["mine"] };
  const detail = "name is neither a standard finalizer name nor is it fully qualified";

  test.each<[Kind]>([
    ["APIService"],
    ["Event"],
    ["Lease"],
    ["MutatingWebhookConfiguration"],
    ["PodDisruptionBudget"],
    ["ValidatingWebhookConfiguration"],
  ])("is accepted for %s", async (kind) => {
    const send = await madeOf(kind);
    const changed = await send("PATCH", `${kinds[kind][0]}/${nameOf(kind)}`, { metadata: body });
    expect(changed.object.metadata.finalizers).toEqual(["mine"]);
  });

  test.each<[Kind, number]>([
    ["ConfigMap", 2],
    ["FlowSchema", 1],
    ["NetworkPolicy", 2],
    ["PersistentVolumeClaim", 3],
    ["RoleBinding", 3],
    ["VolumeAttachment", 2],
  ])("is refused for %s", async (kind, times) => {
    const send = await madeOf(kind);
    const { findings } = await send("PATCH", `${kinds[kind][0]}/${nameOf(kind)}`, { metadata: body });
    const finding = `metadata.finalizers[0]: Invalid value: "mine": ${detail}`;
    expect(findings).toEqual(Array.from({ length: times }, () => finding));
  });
});

describe("a name", () => {
  test.each<[Kind]>([["Event"], ["PodDisruptionBudget"], ["Role"]])(
    "of %s only has to fit into a path",
    async (kind) => {
      const send = testClient(quietCluster());
      expect((await send("POST", kinds[kind][0], objectOf(kind, { name: "A_b" }))).code).toBe(201);
      const { findings } = await send("POST", kinds[kind][0], objectOf(kind, { name: "a/b%" }));
      expect(findings).toEqual([
        `metadata.name: Invalid value: "a/b%": may not contain '/'`,
        `metadata.name: Invalid value: "a/b%": may not contain '%'`,
      ]);
    },
  );
});
