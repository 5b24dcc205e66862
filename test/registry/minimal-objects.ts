import type { JsonObject } from "../../src/apimachinery/json.ts";

const labels = { app: "m" };
const selector = { matchLabels: labels };
const podSpec = { containers: [{ name: "c", image: "i" }] };
const template = { metadata: { labels }, spec: podSpec };
const jobTemplate = { metadata: { labels }, spec: { ...podSpec, restartPolicy: "Never" } };
const workload = { spec: { selector, template } };
const role = { rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] };
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
const webhook = {
  name: "a.example.com",
  clientConfig: { url: "https://example.com/" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const matchResources = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
};
const mutation = {
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
};

/** The fields of a minimal object, by resource; a function if they depend on the version. */
type Fields = JsonObject | ((version: string) => JsonObject);

const fieldsOf: { readonly [resource: string]: Fields } = {
  configmaps: { data: { a: "1" } },
  endpoints: { subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }] },
  limitranges: { spec: { limits: [{ type: "Container", max: { cpu: "2" } }] } },
  namespaces: {},
  nodes: {},
  persistentvolumeclaims: {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  persistentvolumes: {
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
  },
  pods: { spec: { containers: [{ name: "c", image: "i" }] } },
  podtemplates: { template },
  replicationcontrollers: { spec: { selector: labels, template } },
  resourcequotas: { spec: { hard: { pods: "9" } } },
  secrets: { data: { a: "MQ==" } },
  serviceaccounts: {},
  services: { spec: { ports: [{ port: 80 }] } },
  "events.k8s.io/events": {
    regarding: { kind: "Pod", namespace: "default", name: "p" },
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "example.com/c",
    reportingInstance: "i",
    action: "A",
    reason: "R",
    type: "Normal",
    note: "n",
  },
  events: {
    involvedObject: { kind: "Pod", namespace: "default", name: "p" },
    reason: "R",
    type: "Normal",
    message: "n",
    count: 2,
    source: { component: "c" },
    firstTimestamp: "2026-01-01T00:00:00Z",
  },
  controllerrevisions: { data: { a: 1 }, revision: 1 },
  daemonsets: workload,
  deployments: workload,
  replicasets: workload,
  statefulsets: { spec: { ...workload.spec, serviceName: "s" } },
  mutatingwebhookconfigurations: { webhooks: [{ ...webhook, reinvocationPolicy: "Never" }] },
  validatingwebhookconfigurations: { webhooks: [webhook] },
  validatingadmissionpolicies: {
    spec: { matchConstraints: matchResources, validations: [{ expression: "true" }], failurePolicy: "Fail" },
  },
  validatingadmissionpolicybindings: { spec: { policyName: "p", validationActions: ["Deny"] } },
  mutatingadmissionpolicies: {
    spec: { matchConstraints: matchResources, mutations: [mutation], reinvocationPolicy: "Never" },
  },
  mutatingadmissionpolicybindings: { spec: { policyName: "p" } },
  apiservices: {
    spec: { group: "x.example.com", version: "v1", groupPriorityMinimum: 1000, versionPriority: 15 },
  },
  auditsinks: {
    spec: { policy: { level: "Metadata" }, webhook: { clientConfig: { url: "https://example.com/" } } },
  },
  horizontalpodautoscalers: {
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
  },
  cronjobs: {
    spec: {
      schedule: "@daily",
      jobTemplate: { spec: { template: jobTemplate } },
    },
  },
  jobs: { spec: { template: jobTemplate } },
  leases: { spec: { holderIdentity: "h", leaseDurationSeconds: 10 } },
  leasecandidates: (version) => ({
    spec: {
      leaseName: "l",
      binaryVersion: "1.31.0",
      emulationVersion: "1.31.0",
      renewTime: "2026-01-01T00:00:00.000000Z",
      ...(version === "v1alpha1"
        ? { preferredStrategies: ["OldestEmulationVersion"] }
        : { strategy: "OldestEmulationVersion" }),
    },
  }),
  endpointslices: (version) => ({
    addressType: version === "v1alpha1" ? "IP" : "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"] }],
    ports: [{ port: 80 }],
  }),
  flowschemas: {
    spec: {
      priorityLevelConfiguration: { name: "exempt" },
      rules: [
        {
          subjects: [{ kind: "User", user: { name: "u" } }],
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
        },
      ],
    },
  },
  prioritylevelconfigurations: {
    spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
  },
  storageversions: { spec: {} },
  clustercidrs: { spec: { perNodeHostBits: 8, ipv4: "10.1.0.0/16", ipv6: "" } },
  ingressclasses: { spec: { controller: "example.com/c" } },
  "networking.k8s.io/v1/ingresses": {
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  },
  ingresses: { spec: { backend: { serviceName: "s", servicePort: 80 } } },
  ipaddresses: { spec: { parentRef: { resource: "services", namespace: "default", name: "s" } } },
  servicecidrs: { spec: { cidrs: ["10.200.0.0/24"] } },
  networkpolicies: { spec: { podSelector: {} } },
  "node.k8s.io/v1alpha1/runtimeclasses": { spec: { runtimeHandler: "h" } },
  runtimeclasses: { handler: "h" },
  poddisruptionbudgets: { spec: { minAvailable: 1, selector } },
  podsecuritypolicies: {
    spec: {
      seLinux: { rule: "RunAsAny" },
      runAsUser: { rule: "RunAsAny" },
      supplementalGroups: { rule: "RunAsAny" },
      fsGroup: { rule: "RunAsAny" },
    },
  },
  clusterroles: role,
  roles: role,
  "rbac.authorization.k8s.io/v1alpha1/clusterrolebindings": {
    roleRef,
    subjects: [{ kind: "User", name: "u" }],
  },
  clusterrolebindings: { roleRef, subjects: [{ kind: "User", name: "u" }] },
  rolebindings: { roleRef, subjects: [{ kind: "User", name: "u" }] },
  deviceclasses: {},
  devicetaintrules: { spec: { taint: { key: "a", effect: "NoSchedule" } } },
  resourceclaims: (version) => ({ spec: claimSpec(version) }),
  resourceclaimtemplates: (version) => ({ spec: { spec: claimSpec(version) } }),
  resourceclasses: { driverName: "d.example.com" },
  resourceslices: (version) => ({ ...sliceFields(version) }),
  resourcepoolstatusrequests: { spec: { driver: "d.example.com", poolName: "p" } },
  podschedulingcontexts: { spec: {} },
  podschedulings: { spec: {} },
  priorityclasses: { value: 5 },
  podgroups: { spec: { schedulingPolicy: { basic: {} } } },
  workloads: {
    spec: {
      podGroups: [{ name: "g", policy: { basic: {} } }],
      podGroupTemplates: [{ name: "g", schedulingPolicy: { basic: {} } }],
    },
  },
  podpresets: { spec: { selector } },
  csidrivers: { spec: { attachRequired: true } },
  csinodes: { spec: { drivers: [] } },
  csistoragecapacities: { storageClassName: "s", nodeTopology: { matchLabels: { a: "b" } } },
  storageclasses: { provisioner: "example.com/p" },
  volumeattachments: {
    spec: { attacher: "a.example.com", nodeName: "n", source: { persistentVolumeName: "v" } },
  },
  volumeattributesclasses: { driverName: "d.example.com", parameters: { a: "b" } },
  "storagemigration.k8s.io/v1alpha1/storageversionmigrations": {
    spec: { resource: { group: "", version: "v1", resource: "pods" } },
  },
  storageversionmigrations: { spec: { resource: { group: "", resource: "pods" } } },
};

function claimSpec(version: string): JsonObject {
  if (version === "v1alpha1" || version === "v1alpha2") return { resourceClassName: "r" };
  const exactly = { deviceClassName: "c.example.com" };
  const isEarly = version === "v1alpha3" || version === "v1beta1";
  return { devices: { requests: [isEarly ? { name: "r", ...exactly } : { name: "r", exactly }] } };
}

function sliceFields(version: string): JsonObject {
  if (version === "v1alpha2")
    return { driverName: "d.example.com", nodeName: "n", namedResources: { instances: [] } };
  const isEarly = version === "v1alpha3" || version === "v1beta1";
  const capacity = { "d.example.com/m": version === "v1alpha3" ? "1Gi" : { value: "1Gi" } };
  const device = isEarly ? { name: "a", basic: { capacity } } : { name: "a", capacity };
  const pool = { name: "p", generation: 1, resourceSliceCount: 1 };
  return { spec: { driver: "d.example.com", nodeName: "n", pool, devices: [device] } };
}

/** Names that are not free. */
const nameOf: { readonly [resource: string]: string } = {
  storageversions: "example.com.widgets",
  apiservices: "v1.x.example.com",
  ipaddresses: "192.0.2.9",
};

/** Resources for which there is no minimal object: definitions have tests of their own, requests need a signed body. */
export const withoutMinimalObject: readonly string[] = [
  "customresourcedefinitions",
  "certificatesigningrequests",
  "clustertrustbundles",
  "podcertificaterequests",
  "componentstatuses",
  "resourceclaimparameters",
  "resourceclassparameters",
];

/** A valid object of a resource in a version with nothing that validation does not ask for; undefined if there is none. */
export function minimalObject(
  {
    group,
    version,
    resource,
  }: { readonly group: string; readonly version: string; readonly resource: string },
  suffix: string,
): JsonObject | undefined {
  const fields =
    fieldsOf[`${group}/${version}/${resource}`] ?? fieldsOf[`${group}/${resource}`] ?? fieldsOf[resource];
  if (fields === undefined) return undefined;
  const name = nameOf[resource] ?? `m-${suffix}`;
  const own = typeof fields === "function" ? fields(version) : fields;
  return { metadata: { name }, ...own };
}
