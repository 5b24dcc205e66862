import { type CostlyRequest, creates, type Manifest, members, times } from "./costly-request.ts";

const core = "/api/v1";
const namespaced = "/api/v1/namespaces/default";
const apis = (group: string, resource: string) => `/apis/${group}/${resource}`;
const inNamespace = (group: string, resource: string) => `/apis/${group}/namespaces/default/${resource}`;
const names = (n: number, prefix = "n") => times(n, (i) => `${prefix}${i}`);
const spec = (parts: Manifest) => ({ spec: parts });
const selectorOf = (n: number) => ({
  matchExpressions: times(n, (i) => ({ key: `k${i}`, operator: "Exists" })),
});
const subject = (i: number) => ({ kind: "User", name: `u${i}`, apiGroup: "rbac.authorization.k8s.io" });
const rule = (i: number) => ({ apiGroups: [""], resources: [`r${i}`], verbs: ["get"] });
const template = {
  metadata: { labels: { a: "b" } },
  spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Always" },
};
const workload = { selector: { matchLabels: { a: "b" } }, template };
const job = { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } };
const port = (i: number) => ({ name: `p${i}`, port: (i % 65535) + 1 });

const coreKinds: readonly CostlyRequest[] = [
  ...creates(
    `${namespaced}/configmaps`,
    {},
    {
      "configmap: data": (n) => ({ data: members(n, (i) => [`k${i}`, "v"]) }),
      "configmap: keys that are invalid": (n) => ({ data: members(n, (i) => [`k${i}/`, "v"]) }),
      "configmap: data and binaryData": (n) => ({
        data: members(n, (i) => [`k${i}`, "v"]),
        binaryData: members(n, (i) => [`k${i}`, "AAAA"]),
      }),
      "configmap: a long value": (n) => ({ data: { k: "v\n".repeat(n) } }),
      "configmap: long binaryData": (n) => ({ binaryData: { k: "AAAA".repeat(n) } }),
      "configmap: lines of binaryData": (n) => ({ binaryData: { k: "AAAA\n".repeat(n) } }),
    },
  ),
  ...creates(
    `${namespaced}/secrets`,
    {},
    {
      "secret: stringData": (n) => ({ stringData: members(n, (i) => [`k${i}`, "v"]) }),
      "secret: a docker configuration": (n) => ({
        type: "kubernetes.io/dockerconfigjson",
        stringData: { ".dockerconfigjson": "[".repeat(n) },
      }),
    },
  ),
  ...creates(
    `${namespaced}/services`,
    {},
    {
      "service: ports": (n) => spec({ ports: times(n, port) }),
      "service: the same port": (n) => spec({ ports: times(n, (i) => ({ ...port(0), name: `p${i}` })) }),
      "service: ports of one name": (n) => spec({ ports: times(n, (i) => ({ ...port(i), name: "p" })) }),
      "service: nodePorts": (n) =>
        spec({ type: "NodePort", ports: times(n, (i) => ({ ...port(i), nodePort: 30000 + (i % 2768) })) }),
      "service: allocated nodePorts": (n) => spec({ type: "NodePort", ports: times(n, port) }),
      "service: externalIPs": (n) => spec({ ports: [port(0)], externalIPs: times(n, () => "1.2.3.4") }),
      "service: ranges": (n) =>
        spec({
          type: "LoadBalancer",
          ports: [port(0)],
          loadBalancerSourceRanges: times(n, () => "1.2.3.0/24"),
        }),
      "service: clusterIPs": (n) => spec({ ports: [port(0)], clusterIPs: times(n, () => "10.96.0.9") }),
      "service: ipFamilies": (n) => spec({ ports: [port(0)], ipFamilies: times(n, () => "IPv4") }),
      "service: unknown ipFamilies": (n) => spec({ ports: [port(0)], ipFamilies: names(n) }),
      "service: selector": (n) => spec({ ports: [port(0)], selector: members(n, (i) => [`k${i}`, "v"]) }),
    },
  ),
  ...creates(
    `${core}/nodes`,
    {},
    {
      "node: podCIDRs": (n) => spec({ podCIDRs: times(n, (i) => `10.${i >> 8}.${i & 255}.0/24`) }),
      "node: the same podCIDR": (n) => spec({ podCIDRs: times(n, () => "10.0.0.0/24") }),
      "node: taints": (n) => spec({ taints: times(n, (i) => ({ key: `k${i}`, effect: "NoSchedule" })) }),
      "node: the same taint": (n) => spec({ taints: times(n, () => ({ key: "k", effect: "NoSchedule" })) }),
      "node: capacity": (n) => ({ status: { capacity: members(n, (i) => [`a.b/r${i}`, "1"]) } }),
      "node: addresses": (n) => ({
        status: { addresses: times(n, (i) => ({ type: "InternalIP", address: `10.0.0.${i}` })) },
      }),
      "node: images": (n) => ({ status: { images: times(n, (i) => ({ names: [`n${i}`] })) } }),
      "node: conditions": (n) => ({
        status: { conditions: times(n, (i) => ({ type: `t${i}`, status: "True" })) },
      }),
    },
  ),
  ...creates(
    `${namespaced}/resourcequotas`,
    {},
    {
      "resourcequota: scopes": (n) => spec({ scopes: names(n), hard: { pods: "1" } }),
      "resourcequota: known scopes": (n) =>
        spec({ scopes: times(n, (i) => (i % 2 ? "BestEffort" : "NotTerminating")), hard: { services: "1" } }),
      "resourcequota: scopes that do not fit": (n) =>
        spec({
          scopes: times(n, () => "BestEffort"),
          hard: { services: "1", secrets: "1", configmaps: "1" },
        }),
      "resourcequota: unknown resources": (n) => spec({ hard: members(n, (i) => [`r${i}`, "1"]) }),
      "resourcequota: scopeSelector": (n) =>
        spec({
          scopeSelector: {
            matchExpressions: times(n, (i) => ({
              scopeName: "PriorityClass",
              operator: "In",
              values: [`v${i}`],
            })),
          },
        }),
      "resourcequota: values of a scope": (n) =>
        spec({
          scopeSelector: {
            matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: names(n) }],
          },
        }),
    },
  ),
  ...creates(
    `${namespaced}/limitranges`,
    {},
    {
      "limitrange: limits": (n) => spec({ limits: times(n, (i) => ({ type: `a.b/t${i}` })) }),
      "limitrange: limits of one type": (n) => spec({ limits: times(n, () => ({ type: "Pod" })) }),
      "limitrange: resources": (n) =>
        spec({ limits: [{ type: "Container", max: members(n, (i) => [`a.b/r${i}`, "1"]) }] }),
    },
  ),
  ...creates(
    `${namespaced}/endpoints`,
    {},
    {
      "endpoints: addresses": (n) => ({
        subsets: [
          { addresses: times(n, (i) => ({ ip: `10.${i >> 8}.${i & 255}.1` })), ports: [{ port: 1 }] },
        ],
      }),
      "endpoints: the same address": (n) => ({
        subsets: [{ addresses: times(n, () => ({ ip: "10.0.0.1" })), ports: [{ port: 1 }] }],
      }),
      "endpoints: subsets": (n) => ({
        subsets: times(n, (i) => ({ addresses: [{ ip: "10.0.0.1" }], ports: [{ name: `p${i}`, port: 1 }] })),
      }),
      "endpoints: ports": (n) => ({ subsets: [{ addresses: [{ ip: "10.0.0.1" }], ports: times(n, port) }] }),
    },
  ),
  ...creates(
    `${core}/persistentvolumes`,
    {},
    {
      "persistentvolume: accessModes": (n) =>
        spec({ ...volume, accessModes: times(n, () => "ReadWriteOnce") }),
      "persistentvolume: unknown accessModes": (n) => spec({ ...volume, accessModes: names(n) }),
      "persistentvolume: mountOptions": (n) =>
        spec({ ...volume, accessModes: ["ReadWriteOnce"], mountOptions: names(n) }),
    },
  ),
  ...creates(
    `${namespaced}/persistentvolumeclaims`,
    {},
    {
      "persistentvolumeclaim: accessModes": (n) =>
        spec({ resources: { requests: { storage: "1" } }, accessModes: times(n, () => "ReadWriteOncePod") }),
    },
  ),
  ...creates(
    `${namespaced}/serviceaccounts`,
    {},
    {
      "serviceaccount: secrets": (n) => ({ secrets: times(n, (i) => ({ name: `s${i}` })) }),
    },
  ),
  ...creates(
    `${core}/namespaces`,
    {},
    {
      "namespace: finalizers": (n) => spec({ finalizers: names(n, "a.b/f") }),
    },
  ),
];

const volume = { capacity: { storage: "1" }, hostPath: { path: "/p" } };

const workloads: readonly CostlyRequest[] = [
  ...creates(
    inNamespace("apps/v1", "statefulsets"),
    {},
    {
      "statefulset: volumeClaimTemplates": (n) =>
        spec({
          ...workload,
          serviceName: "s",
          volumeClaimTemplates: times(n, (i) => ({
            metadata: { name: `v${i}` },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
          })),
        }),
    },
  ),
  ...creates(
    inNamespace("apps/v1", "deployments"),
    {},
    {
      "deployment: selector": (n) => spec({ ...workload, selector: selectorOf(n) }),
      "deployment: labels of the template": (n) =>
        spec({
          selector: { matchLabels: members(n, (i) => [`k${i}`, "v"]) },
          template: { ...template, metadata: { labels: members(n, (i) => [`k${i}`, "v"]) } },
        }),
      "deployment: containers": (n) =>
        spec({
          ...workload,
          template: { ...template, spec: { containers: times(n, (i) => ({ name: `c${i}`, image: "i" })) } },
        }),
    },
  ),
  ...creates(
    inNamespace("batch/v1", "jobs"),
    {},
    {
      "job: rules": (n) =>
        spec({
          ...job,
          podFailurePolicy: {
            rules: times(n, () => ({
              action: "Ignore",
              onPodConditions: [{ type: "DisruptionTarget", status: "True" }],
            })),
          },
        }),
      "job: exit codes": (n) =>
        spec({
          ...job,
          podFailurePolicy: {
            rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: times(n, (i) => i + 1) } }],
          },
        }),
      "job: indexes of success": (n) =>
        spec({
          ...job,
          completionMode: "Indexed",
          completions: 100_000,
          parallelism: 1,
          successPolicy: { rules: [{ succeededIndexes: times(n, (i) => 2 * i).join() }] },
        }),
    },
  ),
  ...creates(
    inNamespace("batch/v1", "cronjobs"),
    {},
    {
      "cronjob: schedule": (n) =>
        spec({ schedule: `${times(n, (i) => i % 60).join()} * * * *`, jobTemplate: spec(job) }),
      "cronjob: blanks": (n) => spec({ schedule: `*${" ".repeat(n)}* * * *`, jobTemplate: spec(job) }),
      "cronjob: a long time zone": (n) =>
        spec({ schedule: "* * * * *", timeZone: "a/".repeat(n), jobTemplate: spec(job) }),
    },
  ),
  ...creates(
    inNamespace("autoscaling/v2", "horizontalpodautoscalers"),
    {},
    {
      "horizontalpodautoscaler: metrics": (n) =>
        spec({
          scaleTargetRef: { kind: "Deployment", name: "d" },
          maxReplicas: 2,
          metrics: times(n, () => ({
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } },
          })),
        }),
    },
  ),
  ...creates(
    inNamespace("policy/v1", "poddisruptionbudgets"),
    {},
    {
      "poddisruptionbudget: selector": (n) => spec({ minAvailable: 1, selector: selectorOf(n) }),
    },
  ),
];

const accessKinds: readonly CostlyRequest[] = [
  ...creates(
    inNamespace("rbac.authorization.k8s.io/v1", "roles"),
    {},
    {
      "role: rules": (n) => ({ rules: times(n, rule) }),
      "role: verbs": (n) => ({ rules: [{ apiGroups: [""], resources: ["pods"], verbs: names(n) }] }),
      "role: resources": (n) => ({
        rules: [{ apiGroups: names(n, "g"), resources: names(n), verbs: ["get"] }],
      }),
    },
  ),
  ...creates(
    apis("rbac.authorization.k8s.io/v1", "clusterroles"),
    {},
    {
      "clusterrole: aggregation": (n) => ({
        aggregationRule: { clusterRoleSelectors: times(n, (i) => ({ matchLabels: { a: `${i}` } })) },
      }),
      "clusterrole: nonResourceURLs": (n) => ({
        rules: [{ nonResourceURLs: names(n, "/"), verbs: ["get"] }],
      }),
    },
  ),
  ...creates(
    inNamespace("rbac.authorization.k8s.io/v1", "rolebindings"),
    {},
    {
      "rolebinding: subjects": (n) => ({
        roleRef: { kind: "Role", name: "r", apiGroup: "rbac.authorization.k8s.io" },
        subjects: times(n, subject),
      }),
    },
  ),
  ...creates(
    apis("authentication.k8s.io/v1", "tokenreviews"),
    {},
    {
      "tokenreview: audiences": (n) => reviewed({ token: "t", audiences: names(n) }),
      "tokenreview: a long token": (n) => reviewed({ token: "a.".repeat(n) }),
    },
  ),
  ...creates(
    apis("authorization.k8s.io/v1", "subjectaccessreviews"),
    {},
    {
      "subjectaccessreview: groups": (n) => reviewed({ ...accessOf("get"), user: "u", groups: names(n) }),
      "subjectaccessreview: extra": (n) =>
        reviewed({ ...accessOf("get"), user: "u", extra: members(n, (i) => [`k${i}`, ["v"]]) }),
      "subjectaccessreview: requirements": (n) =>
        reviewed({
          user: "u",
          resourceAttributes: {
            verb: "list",
            resource: "pods",
            labelSelector: { requirements: times(n, (i) => ({ key: `k${i}`, operator: "Exists" })) },
          },
        }),
    },
  ),
  ...creates(
    `${namespaced}/serviceaccounts/default/token`,
    {},
    {
      "tokenrequest: audiences": (n) => reviewed({ audiences: names(n) }),
    },
  ),
  ...creates(
    apis("certificates.k8s.io/v1", "certificatesigningrequests"),
    {},
    {
      "certificatesigningrequest: usages": (n) =>
        spec({ ...signing, usages: times(n, () => "digital signature") }),
      "certificatesigningrequest: usages that differ": (n) => spec({ ...signing, usages: names(n) }),
      "certificatesigningrequest: blanks": (n) => spec({ ...signing, request: btoa(pem(" ".repeat(n))) }),
      "certificatesigningrequest: lines of blanks": (n) =>
        spec({ ...signing, request: btoa(pem(" \n".repeat(n))) }),
      "certificatesigningrequest: headers": (n) =>
        spec({ ...signing, request: btoa(pem("a: b\n".repeat(n))) }),
      "certificatesigningrequest: blocks that do not end": (n) =>
        spec({ ...signing, request: btoa("-----BEGIN A-----\n".repeat(n)) }),
      "certificatesigningrequest: blocks": (n) =>
        spec({ ...signing, request: btoa("-----BEGIN A-----\n-----END A-----\n".repeat(n)) }),
      "certificatesigningrequest: nested sequences": (n) =>
        spec({ ...signing, request: btoa(pem(btoa("\x30\x80".repeat(n)))) }),
      "certificatesigningrequest: dashes": (n) =>
        spec({ ...signing, request: btoa("-----BEGIN ".repeat(n)) }),
      "certificatesigningrequest: a line without end": (n) =>
        spec({ ...signing, request: btoa(`-----BEGIN A-----${" ".repeat(n)}x`) }),
    },
  ),
];

/** A review has no name. */
function reviewed(parts: Manifest): Manifest {
  return { metadata: {}, spec: parts };
}

function accessOf(verb: string): Manifest {
  return { resourceAttributes: { verb, resource: "pods" } };
}

const signing = { signerName: "a.b/c", usages: ["digital signature"], request: btoa("x") };

function pem(content: string): string {
  return `-----BEGIN CERTIFICATE REQUEST-----\n${content}\n-----END CERTIFICATE REQUEST-----\n`;
}

/** Lists and maps of the built-in kinds besides pods, except those of `more-kinds.ts`. */
export const costlyKinds: readonly CostlyRequest[] = [...coreKinds, ...workloads, ...accessKinds];
