import type { RawRequest } from "../quiet-server.ts";
import { configMaps, get, query, type Statement, send, tryCreate } from "./statement.ts";

const merge = "application/merge-patch+json";
const container = { name: "c", image: "i" };
const runtimeClasses = "/apis/node.k8s.io/v1/runtimeclasses";

/** A rule, what it needs, the request and the answer. */
type Rule = readonly [
  section: string,
  says: string,
  after: readonly RawRequest[],
  request: RawRequest,
  code: number,
  answer: string | RegExp | object,
];

function pod(changes: object, name = "p", metadata: object = {}): object {
  return { metadata: { name, ...metadata }, spec: { containers: [container], ...changes } };
}

/** A new namespace with these objects, by resource. */
function namespace(name: string, ...objects: readonly (readonly [string, object])[]): readonly RawRequest[] {
  const all = [["serviceaccounts", { metadata: { name: "default" } }] as const, ...objects];
  return [
    send("POST", "/api/v1/namespaces", { metadata: { name } }),
    ...all.map(([resource, object]) => send("POST", `/api/v1/namespaces/${name}/${resource}`, object)),
  ];
}

function tryPod(name: string, changes: object): RawRequest {
  return tryCreate(`/api/v1/namespaces/${name}/pods`, pod(changes));
}

const limitRange = (...limits: readonly object[]) =>
  ["limitranges", { metadata: { name: "l" }, spec: { limits } }] as const;

const limits: readonly Rule[] = [
  [
    "admission, section 2",
    "a limit may exceed its request only by the ratio of the LimitRange",
    namespace("ratio", limitRange({ type: "Container", maxLimitRequestRatio: { cpu: "2" } })),
    tryPod("ratio", {
      containers: [{ ...container, resources: { requests: { cpu: "1" }, limits: { cpu: "4" } } }],
    }),
    403,
    'pods "p" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
  ],
  [
    "admission, section 2",
    "a minimum for pods needs a request",
    namespace("minimum", limitRange({ type: "Pod", min: { memory: "1Mi" } })),
    tryPod("minimum", {}),
    403,
    'pods "p" is forbidden: minimum memory usage per Pod is 1Mi.  No request is specified',
  ],
  [
    "admission, section 2",
    "an annotation names what a LimitRange set, in init containers too",
    namespace(
      "annotated",
      limitRange({ type: "Container", default: { cpu: "1" }, defaultRequest: { memory: "1Mi" } }),
    ),
    tryPod("annotated", { initContainers: [{ name: "x", image: "i" }] }),
    201,
    /LimitRanger plugin set: cpu, memory request for container c; cpu limit for container c; cpu, memory request for init container x; cpu limit for init container x/,
  ],
  [
    "admission, section 2",
    "a quota of several resources names the containers without each of them",
    [
      ...namespace("specified", [
        "resourcequotas",
        { metadata: { name: "rq" }, spec: { hard: { "limits.cpu": "1", "requests.cpu": "1" } } },
      ]),
      send(
        "PATCH",
        "/api/v1/namespaces/specified/resourcequotas/rq/status",
        {
          status: {
            hard: { "limits.cpu": "1", "requests.cpu": "1" },
            used: { "limits.cpu": "0", "requests.cpu": "0" },
          },
        },
        merge,
      ),
    ],
    tryPod("specified", {
      containers: [
        { name: "a", image: "i" },
        { name: "b", image: "i", resources: { requests: { cpu: "1" } } },
      ],
    }),
    403,
    'pods "p" is forbidden: failed quota: rq: must specify limits.cpu for: a,b; requests.cpu for: a',
  ],
];

const quotaStatus = "/api/v1/namespaces/unknown/resourcequotas/rq/status";
const quotas: readonly Rule[] = [
  [
    "admission, section 2",
    "a quota whose use is unknown admits nothing",
    [
      ...namespace("unknown", [
        "resourcequotas",
        { metadata: { name: "rq" }, spec: { hard: { pods: "1" } } },
      ]),
      send("PATCH", quotaStatus, { status: { hard: { pods: "1" } } }, merge),
    ],
    tryPod("unknown", {}),
    403,
    'pods "p" is forbidden: status unknown for quota: rq, resources: pods',
  ],
];

const pods: readonly Rule[] = [
  [
    "admission, section 2",
    "a pod has no priority other than that of its class",
    namespace("priority"),
    tryPod("priority", { priority: 5 }),
    403,
    'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  [
    "admission, section 2",
    "a pod has no node selector that contradicts its runtime class",
    [
      ...namespace("runtime"),
      send("POST", runtimeClasses, {
        metadata: { name: "selecting" },
        handler: "h",
        scheduling: { nodeSelector: { a: "b" } },
      }),
    ],
    tryPod("runtime", { runtimeClassName: "selecting", nodeSelector: { a: "c" } }),
    403,
    'pods "p" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = c',
  ],
  [
    "admission, section 2",
    "the baseline names each namespace of the host",
    [
      ...namespace("baseline"),
      send(
        "PATCH",
        "/api/v1/namespaces/baseline",
        { metadata: { labels: { "pod-security.kubernetes.io/enforce": "baseline" } } },
        merge,
      ),
    ],
    tryPod("baseline", { hostNetwork: true, hostPID: true, hostIPC: true }),
    403,
    'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
  ],
  [
    "kinds, section 2",
    "a gated pod is not bound",
    namespace("gated", ["pods", pod({ schedulingGates: [{ name: "g" }] })]),
    send("POST", "/api/v1/namespaces/gated/pods/p/binding", {
      metadata: { name: "p" },
      target: { kind: "Node", name: "n" },
    }),
    409,
    'Operation cannot be fulfilled on pods/binding "p": pod p has non-empty .spec.schedulingGates',
  ],
  [
    "kinds, section 2",
    "a pod that is being deleted is not bound",
    [
      ...namespace("leaving", ["pods", pod({}, "p", { finalizers: ["example.com/f"] })]),
      send("DELETE", "/api/v1/namespaces/leaving/pods/p", ""),
    ],
    send("POST", "/api/v1/namespaces/leaving/pods/p/binding", {
      metadata: { name: "p" },
      target: { kind: "Node", name: "n" },
    }),
    409,
    'Operation cannot be fulfilled on pods/binding "p": pod p is being deleted, cannot be assigned to a host',
  ],
  [
    "kinds, section 2",
    "an update adds no scheduling gate",
    namespace("gates", ["pods", pod({ schedulingGates: [{ name: "g" }] })]),
    send(
      "PATCH",
      "/api/v1/namespaces/gates/pods/p",
      { spec: { schedulingGates: [{ name: "g" }, { name: "x" }] } },
      merge,
    ),
    422,
    /spec\.schedulingGates\[1\]\.name: Forbidden: only deletion is allowed, but found new scheduling gate 'x'/,
  ],
];

/** Two namespaces whose names sort differently with and without the slash that follows in a key. */
const sorted = [
  ...namespace("o", ["configmaps", { metadata: { name: "listed", labels: { order: "yes" } } }]),
  ...namespace("o-p", ["configmaps", { metadata: { name: "listed", labels: { order: "yes" } } }]),
];

const reads: readonly Rule[] = [
  [
    "requests, section 4",
    "a list sorts by the keys in the store, in which a slash follows the namespace",
    sorted,
    query("/api/v1/configmaps", { labelSelector: "order=yes" }),
    200,
    { items: [{ metadata: { namespace: "o-p" } }, { metadata: { namespace: "o" } }] },
  ],
  [
    "requests, section 4",
    "a field selector limits a list to a namespace",
    namespace("narrow", ["configmaps", { metadata: { name: "listed" } }]),
    query("/api/v1/configmaps", { fieldSelector: "metadata.namespace=narrow" }),
    200,
    { items: [{ metadata: { name: "listed", namespace: "narrow" } }] },
  ],
  [
    "requests, section 8",
    "a table without objects has null in their place",
    namespace("rows", ["configmaps", { metadata: { name: "listed" } }]),
    get("/api/v1/namespaces/rows/configmaps?includeObject=None", {
      accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
    }),
    200,
    { rows: [{ object: null }] },
  ],
  [
    "requests, section 8",
    "a table shows complete objects on demand",
    namespace("whole", ["configmaps", { metadata: { name: "listed" }, data: { a: "b" } }]),
    get("/api/v1/namespaces/whole/configmaps?includeObject=Object", {
      accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
    }),
    200,
    { rows: [{ object: { kind: "ConfigMap", data: { a: "b" } } }] },
  ],
];

const writes: readonly Rule[] = [
  [
    "requests, section 9",
    "strict validation names at most 100 fields",
    [],
    send("POST", `${configMaps}?dryRun=All&fieldValidation=Strict`, {
      metadata: { name: "many" },
      ...Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`f${i}`, 1])),
    }),
    400,
    /^[^,]*(?:, unknown field "f\d+"){99}$/,
  ],
  [
    "requests, section 10",
    "58 bytes of a long generateName are used",
    [],
    tryCreate(configMaps, { metadata: { generateName: "a".repeat(70) } }),
    201,
    /"name":"a{58}[b-z2-9]{5}"/,
  ],
  [
    "errors, section 9",
    "only the key of an annotation without its case is checked",
    [],
    tryCreate(configMaps, { metadata: { name: "n", annotations: { "Example.COM/Key": "v" } } }),
    201,
    { metadata: { annotations: { "Example.COM/Key": "v" } } },
  ],
  [
    "errors, section 9",
    "the error of an annotation shows its key",
    [],
    tryCreate(configMaps, { metadata: { name: "n", annotations: { "A b": "v" } } }),
    422,
    /metadata\.annotations: Invalid value: "A b": name part must consist of/,
  ],
  [
    "kinds, section 7",
    "a bad selector of an aggregation has a second cause",
    [],
    tryCreate("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
      metadata: { name: "n" },
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "X" }] }] },
    }),
    422,
    /aggregationRule\.clusterRoleSelectors\[0\]: Invalid value: "null": invalid label selector\.\]/,
  ],
  [
    "kinds, section 4",
    "a time zone has no two dots",
    [],
    tryCreate("/apis/batch/v1/namespaces/default/cronjobs", {
      metadata: { name: "n" },
      spec: {
        schedule: "* * * * *",
        timeZone: "a..b",
        jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } } },
      },
    }),
    422,
    /spec\.timeZone: Invalid value: "a\.\.b": time: invalid location name/,
  ],
];

const attachments: readonly Rule[] = [
  [
    "kinds, section 5",
    "an inline volume may have any attributes class",
    [],
    tryCreate("/apis/storage.k8s.io/v1/volumeattachments", {
      metadata: { name: "n" },
      spec: {
        attacher: "a.b",
        nodeName: "n",
        source: {
          inlineVolumeSpec: {
            accessModes: ["ReadWriteOnce"],
            csi: { driver: "a.b", volumeHandle: "h" },
            volumeAttributesClassName: "a/b",
          },
        },
      },
    }),
    201,
    { spec: { source: { inlineVolumeSpec: { volumeAttributesClassName: "a/b" } } } },
  ],
];

const repeatedNetworks: Statement = {
  source: "kubernetes, pkg/apis/core/validation/validation.go, ValidateNode",
  says: "a pod network that a node repeats is one error",
  request: tryCreate("/api/v1/nodes", {
    metadata: { name: "n" },
    spec: { podCIDRs: ["10.0.0.0/24", "10.0.0.0/24"] },
  }),
  code: 422,
  answer: /is invalid: spec\.podCIDRs: Invalid value: .*no more than one CIDR for each IP family$/,
  since: "1.33",
};

/** Rules of the reference that no transcript shows; `coverage.md` counts them. */
export const ruleStatements: readonly Statement[] = [
  ...[...limits, ...quotas, ...pods, ...reads, ...writes, ...attachments].map(
    ([section, says, after, request, code, answer]): Statement => ({
      source: `API reference, ${section}`,
      says,
      after,
      request,
      code,
      answer,
      since: "1.32",
      until: "1.32",
    }),
  ),
  repeatedNetworks,
];
