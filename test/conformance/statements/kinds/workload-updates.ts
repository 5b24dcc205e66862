import type { Statement } from "../statement.ts";
import { type KindUpdate, updateStatements } from "./kind-updates.ts";

const core = "/api/v1/namespaces/updates";
const jobs = `/apis/batch/v1/namespaces/updates/jobs`;
const jobTemplate = (spec: object = {}) => ({
  spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }], ...spec },
});
const job = (spec: object) => ({ spec: { template: jobTemplate(), ...spec } });
const apps = `/apis/apps/v1/namespaces/updates/`;
const selector = { matchLabels: { a: "b" } };
const template = (spec: object = {}) => ({
  metadata: { labels: { a: "b" } },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});
const statefulSet = (spec: object) => ({
  spec: { selector, serviceName: "x", template: template(), ...spec },
});
const budgets = `/apis/policy/v1/namespaces/updates/poddisruptionbudgets`;
const pod = (spec: object = {}, m: object = {}) => ({
  metadata: m,
  spec: { containers: [{ name: "c", image: "i" }], automountServiceAccountToken: false, ...spec },
});
const pods = `${core}/pods`;

const updates: readonly KindUpdate[] = [
  ["Job: parallelism", jobs, job({}), { spec: { parallelism: 3 } }, "accepted"],
  ["Job: completions", jobs, job({ completions: 1 }), { spec: { completions: 2 } }, "refused"],
  [
    "Job: completions indexed",
    jobs,
    job({ completionMode: "Indexed", completions: 1, parallelism: 1 }),
    { spec: { completions: 2, parallelism: 2 } },
    "accepted",
  ],
  [
    "Job: completions indexed alone",
    jobs,
    job({ completionMode: "Indexed", completions: 1, parallelism: 1 }),
    { spec: { completions: 2 } },
    "refused",
  ],
  ["Job: completionMode", jobs, job({ completions: 1 }), { spec: { completionMode: "Indexed" } }, "refused"],
  [
    "Job: image",
    jobs,
    job({}),
    { spec: { template: { spec: { containers: [{ name: "c", image: "j" }] } } } },
    "refused",
  ],
  [
    "Job: suspended nodeSelector",
    jobs,
    job({ suspend: true }),
    { spec: { template: { spec: { nodeSelector: { a: "b" } } } } },
    "accepted",
  ],
  [
    "Job: running nodeSelector",
    jobs,
    job({}),
    { spec: { template: { spec: { nodeSelector: { a: "b" } } } } },
    "refused",
  ],
  ["Job: suspend", jobs, job({}), { spec: { suspend: true } }, "accepted"],
  ["Job: managedBy", jobs, job({}), { spec: { managedBy: "a.b/c" } }, "refused"],
  [
    "Job: ttl",
    jobs,
    job({}),
    { spec: { ttlSecondsAfterFinished: 5, activeDeadlineSeconds: 5, backoffLimit: 7 } },
    "accepted",
  ],
  ["Job: pfp", jobs, job({}), { spec: { podFailurePolicy: { rules: [] } } }, "refused"],
  ["Job: podReplacementPolicy", jobs, job({}), { spec: { podReplacementPolicy: "Failed" } }, "accepted"],
  [
    "Job: backoffPerIndex",
    jobs,
    job({ completionMode: "Indexed", completions: 2 }),
    { spec: { backoffLimitPerIndex: 1 } },
    "refused",
  ],
  [
    "Job: maxFailed",
    jobs,
    job({ completionMode: "Indexed", completions: 2, backoffLimitPerIndex: 1 }),
    { spec: { maxFailedIndexes: 1 } },
    "accepted",
  ],
  [
    "Job: successPolicy",
    jobs,
    job({ completionMode: "Indexed", completions: 2 }),
    { spec: { successPolicy: { rules: [{ succeededCount: 1 }] } } },
    "refused",
  ],
  ["Job: selector", jobs, job({}), { spec: { selector: { matchLabels: { a: "b" } } } }, "refused"],
  [
    "StatefulSet: serviceName",
    `${apps}statefulsets`,
    statefulSet({}),
    { spec: { serviceName: "y" } },
    "refused",
  ],
  [
    "StatefulSet: pmp",
    `${apps}statefulsets`,
    statefulSet({}),
    { spec: { podManagementPolicy: "Parallel" } },
    "refused",
  ],
  [
    "StatefulSet: replicas",
    `${apps}statefulsets`,
    statefulSet({}),
    { spec: { replicas: 4, minReadySeconds: 1, ordinals: { start: 1 } } },
    "accepted",
  ],
  [
    "StatefulSet: rhl",
    `${apps}statefulsets`,
    statefulSet({}),
    { spec: { revisionHistoryLimit: 4 } },
    "refused",
  ],
  [
    "StatefulSet: vct",
    `${apps}statefulsets`,
    statefulSet({}),
    {
      spec: {
        volumeClaimTemplates: [
          {
            metadata: { name: "x" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
          },
        ],
      },
    },
    "refused",
  ],
  [
    "StatefulSet: template",
    `${apps}statefulsets`,
    statefulSet({}),
    { spec: { template: { spec: { containers: [{ name: "d", image: "j" }] } } } },
    "accepted",
  ],
  [
    "Deployment: selector",
    `${apps}deployments`,
    { spec: { selector, template: template() } },
    {
      spec: {
        selector: { matchLabels: { a: "b", c: "d" } },
        template: { metadata: { labels: { a: "b", c: "d" } } },
      },
    },
    "refused",
  ],
  [
    "DaemonSet: selector",
    `${apps}daemonsets`,
    { spec: { selector, template: template() } },
    { spec: { selector: { matchLabels: { c: "d" } }, template: { metadata: { labels: { c: "d" } } } } },
    "refused",
  ],
  [
    "ReplicaSet: selector",
    `${apps}replicasets`,
    { spec: { selector, template: template() } },
    { spec: { selector: { matchLabels: { c: "d" } }, template: { metadata: { labels: { c: "d" } } } } },
    "refused",
  ],
  [
    "ReplicationController: selector",
    `${core}/replicationcontrollers`,
    { spec: { selector: { a: "b" }, template: template() } },
    { spec: { selector: { c: "d", a: null }, template: { metadata: { labels: { c: "d" } } } } },
    "accepted",
  ],
  [
    "PodDisruptionBudget: selector",
    budgets,
    { spec: { minAvailable: 1, selector } },
    { spec: { selector: { matchLabels: { c: "d" } } } },
    "accepted",
  ],
  ["Pod: image", pods, pod(), { spec: { containers: [{ name: "c", image: "j" }] } }, "accepted"],
  ["Pod: image empty", pods, pod(), { spec: { containers: [{ name: "c", image: "" }] } }, "refused"],
  ["Pod: name", pods, pod(), { spec: { containers: [{ name: "d", image: "i" }] } }, "refused"],
  [
    "Pod: add container",
    pods,
    pod(),
    {
      spec: {
        containers: [
          { name: "c", image: "i" },
          { name: "d", image: "i" },
        ],
      },
    },
    "refused",
  ],
  ["Pod: ads set", pods, pod(), { spec: { activeDeadlineSeconds: 5 } }, "accepted"],
  [
    "Pod: ads more",
    pods,
    pod({ activeDeadlineSeconds: 5 }),
    { spec: { activeDeadlineSeconds: 6 } },
    "refused",
  ],
  [
    "Pod: ads remove",
    pods,
    pod({ activeDeadlineSeconds: 5 }),
    { spec: { activeDeadlineSeconds: null } },
    "refused",
  ],
  ["Pod: tol add", pods, pod(), { spec: { tolerations: [{ key: "x", operator: "Exists" }] } }, "accepted"],
  ["Pod: grace", pods, pod(), { spec: { terminationGracePeriodSeconds: 5 } }, "refused"],
  [
    "Pod: grace neg to 1",
    pods,
    pod({ terminationGracePeriodSeconds: -1 }),
    { spec: { terminationGracePeriodSeconds: 1 } },
    "accepted",
  ],
  ["Pod: nodeName", pods, pod(), { spec: { nodeName: "n" } }, "refused"],
  [
    "Pod: gates remove",
    pods,
    pod({ schedulingGates: [{ name: "a" }] }),
    { spec: { schedulingGates: [] } },
    "accepted",
  ],
  [
    "Pod: gates add",
    pods,
    pod({ schedulingGates: [{ name: "a" }] }),
    { spec: { schedulingGates: [{ name: "a" }, { name: "b" }] } },
    "refused",
  ],
  [
    "Pod: gated nodeSelector add",
    pods,
    pod({ schedulingGates: [{ name: "a" }] }),
    { spec: { nodeSelector: { a: "b" } } },
    "accepted",
  ],
  [
    "Pod: gated nodeSelector change",
    pods,
    pod({ schedulingGates: [{ name: "a" }], nodeSelector: { a: "b" } }),
    { spec: { nodeSelector: { a: "c" } } },
    "refused",
  ],
  [
    "Pod: resources",
    pods,
    pod(),
    { spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }] } },
    "refused",
  ],
  [
    "Pod: apparmor annot",
    pods,
    pod(),
    { metadata: { annotations: { "container.apparmor.security.beta.kubernetes.io/c": "runtime/default" } } },
    "refused",
  ],
  ["Pod: ephemeral", pods, pod(), { spec: { ephemeralContainers: [{ name: "e", image: "i" }] } }, "refused"],
  [
    "HorizontalPodAutoscaler: max",
    `/apis/autoscaling/v2/namespaces/updates/horizontalpodautoscalers`,
    { spec: { scaleTargetRef: { kind: "D", name: "d" }, maxReplicas: 3 } },
    { spec: { maxReplicas: 0 } },
    "refused",
  ],
];

export const workloadUpdateStatements: readonly Statement[] = updateStatements("workload", updates);
