import { expect, test } from "vitest";
import { type ClusterOptions, createCluster, type KubeObject, StatusError } from "../../src/index.ts";

const container = { name: "c", image: "x" };

function pod(spec: object = {}, metadata: object = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default", ...metadata },
    spec: { containers: [container], ...spec },
  };
}

const account: KubeObject = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "default", namespace: "default" },
};

function namespace(annotations: { readonly [name: string]: string } = {}): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: "default", annotations } };
}

const service: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s", namespace: "default" },
  spec: { ports: [{ port: 80 }], externalIPs: ["10.0.0.1"] },
};

const otherNamespace: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", namespace: "elsewhere" },
};

const antiAffinity = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } },
      ],
    },
  },
};

const owned = pod({}, { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "o", uid: "1" }] });
const selector = "scheduler.alpha.kubernetes.io/node-selector";
const whitelist = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
const defaults = "scheduler.alpha.kubernetes.io/defaultTolerations";
const gpu = { resources: { limits: { "example.com/gpu": "1" }, requests: { "example.com/gpu": "1" } } };

/** What a plugin makes of an object: a part of it, or the message of the refusal. */
type Case = readonly [
  plugin: string,
  object: KubeObject,
  expected: string | object,
  namespace?: KubeObject | undefined,
];

const cases: readonly Case[] = [
  ["AlwaysAdmit", pod(), {}],
  [
    "AlwaysDeny",
    { ...otherNamespace, metadata: { name: "c", namespace: "default" } },
    'configmaps "c" is forbidden: admission control is denying all modifications',
  ],
  ["AlwaysPullImages", pod(), { spec: { containers: [{ imagePullPolicy: "Always" }] } }],
  ["NamespaceAutoProvision", otherNamespace, { metadata: { namespace: "elsewhere" } }],
  ["NamespaceExists", otherNamespace, 'namespaces "elsewhere" not found'],
  [
    "LimitPodHardAntiAffinityTopology",
    pod(antiAffinity),
    'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  ],
  [
    "DenyServiceExternalIPs",
    service,
    'services "s" is forbidden: Use of external IPs is denied by admission control',
  ],
  [
    "ExtendedResourceToleration",
    pod({ containers: [{ ...container, ...gpu }] }),
    {
      spec: {
        tolerations: expect.arrayContaining([
          { key: "example.com/gpu", operator: "Exists", effect: "NoSchedule" },
        ]),
      },
    },
  ],
  [
    "PodNodeSelector",
    pod({ nodeSelector: { disk: "ssd" } }),
    { spec: { nodeSelector: { disk: "ssd", env: "test" } } },
    namespace({ [selector]: "env=test" }),
  ],
  [
    "PodNodeSelector",
    pod({ nodeSelector: { env: "prod" } }),
    'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
    namespace({ [selector]: "env=test" }),
  ],
  [
    "PodTolerationRestriction",
    pod(),
    { spec: { tolerations: expect.arrayContaining([{ key: "a", operator: "Exists" }]) } },
    namespace({ [defaults]: '[{"key":"a","operator":"Exists"}]' }),
  ],
  [
    "PodTolerationRestriction",
    pod({ tolerations: [{ key: "b", operator: "Exists" }] }),
    "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist",
    namespace({ [whitelist]: '[{"key":"a","operator":"Exists"}]' }),
  ],
  ["OwnerReferencesPermissionEnforcement", owned, { metadata: { name: "p" } }],
];

const titled = cases.map((each) => [`${each[0]} ${JSON.stringify(each[1])}`, each] as const);

test.each(titled)("%s is decided", async (_title, [plugin, object, expected, ofNamespace]) => {
  const objects = [account, ...(ofNamespace === undefined ? [] : [ofNamespace])];
  // A server that denies every request cannot load objects.
  const loaded = plugin === "AlwaysDeny" ? [] : objects;
  const cluster = createCluster({ objects: loaded, enableAdmissionPlugins: [plugin], controllers: [] });
  const result = await cluster.create(object).catch((error: unknown) => {
    if (!(error instanceof StatusError)) throw error;
    return error.message;
  });
  if (typeof expected === "string") expect(result).toBe(expected);
  else expect(result).toMatchObject(expected);
});

test("owner references need the permission to delete the object", async () => {
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["create"] }];
  const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };
  const cluster = createCluster({
    objects: [
      account,
      { ...rbac, kind: "ClusterRole", metadata: { name: "r" }, rules },
      {
        ...rbac,
        kind: "ClusterRoleBinding",
        metadata: { name: "b" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
      },
    ],
    authorizationMode: ["RBAC"],
    enableAdmissionPlugins: ["OwnerReferencesPermissionEnforcement"],
    controllers: [],
  });
  await expect(cluster.as("alice").create(owned)).rejects.toThrow(
    `pods "p" is forbidden: cannot set an ownerRef on a resource you can't delete: , <nil>`,
  );
  await expect(cluster.as("alice").create(pod())).resolves.toBeDefined();
});

test.each<readonly [options: ClusterOptions, message: string]>([
  [{ enableAdmissionPlugins: ["Zed"] }, 'enable-admission-plugins plugin "Zed" is unknown'],
  [{ disableAdmissionPlugins: ["Zed"] }, 'disable-admission-plugins plugin "Zed" is unknown'],
  [
    { enableAdmissionPlugins: ["Priority"], disableAdmissionPlugins: ["Priority"] },
    "[Priority] in enable-admission-plugins and disable-admission-plugins overlapped",
  ],
  [
    { release: "1.29", enableAdmissionPlugins: ["SecurityContextDeny"] },
    "createCluster: enableAdmissionPlugins: the plugin SecurityContextDeny is not available here",
  ],
  [
    { release: "1.20", enableAdmissionPlugins: ["PodSecurity"] },
    'enable-admission-plugins plugin "PodSecurity" is unknown',
  ],
])("the switches %j are refused", (options, message) => {
  expect(() => createCluster(options)).toThrow(message);
});

test("a plugin that is turned off does nothing", async () => {
  const cluster = createCluster({
    objects: [account],
    disableAdmissionPlugins: ["DefaultTolerationSeconds"],
    controllers: [],
  });
  const created = await cluster.create(pod());
  expect(created["spec"]).not.toHaveProperty("tolerations");
});
