import { describe, expect, test } from "vitest";
import {
  askingFor,
  autoscaler,
  budget,
  container,
  cronJob,
  inDefault,
  jobsPath,
  ofContainer,
  pod,
  service,
  servicesPath,
  setsPath,
} from "./every-kind.ts";
import { podsPath } from "./pods.ts";
import { job, podTemplate, workload } from "./workloads.ts";

type Row = readonly [
  field: string,
  gate: string,
  path: string,
  body: object,
  closed: string,
  open: string | undefined,
];

const affinity = (term: object) => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "k", labelSelector: {}, ...term }],
    },
  },
});
const spread = (fields: object) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "k", whenUnsatisfiable: "DoNotSchedule", labelSelector: {}, ...fields },
  ],
});
const projected = (source: object) => ({ volumes: [{ name: "v", projected: { sources: [source] } }] });

/** Fields behind a feature gate, the last release that disables it by default and the first that enables it. */
const gatedFields: readonly Row[] = [
  [
    "startupProbe",
    "StartupProbe",
    podsPath,
    ofContainer({ startupProbe: { tcpSocket: { port: 1 } } }),
    "1.17",
    "1.18",
  ],
  ["topologySpreadConstraints", "EvenPodsSpread", podsPath, pod(spread({})), "1.17", "1.18"],
  [
    "preemptionPolicy",
    "NonPreemptingPriority",
    podsPath,
    pod({ preemptionPolicy: "PreemptLowerPriority" }),
    "1.17",
    "1.19",
  ],
  ["setHostnameAsFQDN", "SetHostnameAsFQDN", podsPath, pod({ setHostnameAsFQDN: true }), "1.19", "1.20"],
  [
    "fsGroupChangePolicy",
    "ConfigurableFSGroupPolicy",
    podsPath,
    pod({ securityContext: { fsGroupChangePolicy: "Always" } }),
    "1.19",
    "1.20",
  ],
  [
    "namespaceSelector",
    "PodAffinityNamespaceSelector",
    podsPath,
    pod(affinity({ namespaceSelector: {} })),
    "1.21",
    "1.22",
  ],
  ["os", "IdentifyPodOS", podsPath, pod({ os: { name: "linux" } }), "1.23", "1.24"],
  [
    "livenessProbe.terminationGracePeriodSeconds",
    "ProbeTerminationGracePeriod",
    podsPath,
    ofContainer({ livenessProbe: { tcpSocket: { port: 1 }, terminationGracePeriodSeconds: 9 } }),
    "1.24",
    "1.25",
  ],
  [
    "nodeTaintsPolicy",
    "NodeInclusionPolicyInPodTopologySpread",
    podsPath,
    pod(spread({ nodeTaintsPolicy: "Honor" })),
    "1.25",
    "1.26",
  ],
  [
    "matchLabelKeys",
    "MatchLabelKeysInPodTopologySpread",
    podsPath,
    pod(spread({ matchLabelKeys: ["a"] })),
    "1.26",
    "1.27",
  ],
  ["minDomains", "MinDomainsInPodTopologySpread", podsPath, pod(spread({ minDomains: 1 })), "1.26", "1.27"],
  [
    "schedulingGates",
    "PodSchedulingReadiness",
    podsPath,
    pod({ schedulingGates: [{ name: "g" }] }),
    "1.26",
    "1.27",
  ],
  [
    "mismatchLabelKeys",
    "MatchLabelKeysInPodAffinity",
    podsPath,
    pod(affinity({ mismatchLabelKeys: ["a"] })),
    "1.30",
    "1.31",
  ],
  [
    "recursiveReadOnly",
    "RecursiveReadOnlyMounts",
    podsPath,
    pod({
      containers: [
        {
          ...container,
          volumeMounts: [{ name: "v", mountPath: "/v", readOnly: true, recursiveReadOnly: "Disabled" }],
        },
      ],
      volumes: [{ name: "v", emptyDir: {} }],
    }),
    "1.30",
    "1.31",
  ],
  ["hostUsers", "UserNamespacesSupport", podsPath, pod({ hostUsers: true }), "1.32", "1.33"],
  [
    "supplementalGroupsPolicy",
    "SupplementalGroupsPolicy",
    podsPath,
    pod({ securityContext: { supplementalGroupsPolicy: "Merge" } }),
    "1.32",
    "1.33",
  ],
  [
    "seLinuxChangePolicy",
    "SELinuxChangePolicy",
    podsPath,
    pod({ securityContext: { seLinuxChangePolicy: "Recursive" } }),
    "1.32",
    "1.33",
  ],
  [
    "resizePolicy",
    "InPlacePodVerticalScaling",
    podsPath,
    ofContainer({ resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }] }),
    "1.32",
    "1.33",
  ],
  [
    "resourceClaims",
    "DynamicResourceAllocation",
    podsPath,
    pod({ resourceClaims: [{ name: "r", resourceClaimName: "r" }] }),
    "1.33",
    "1.34",
  ],
  [
    "clusterTrustBundle",
    "ClusterTrustBundleProjection",
    podsPath,
    pod(projected({ clusterTrustBundle: { name: "b", path: "p" } })),
    "1.36",
    undefined,
  ],
  [
    "hostUsers",
    "UserNamespacesSupport",
    inDefault("apps/v1", "deployments"),
    workload("w", { template: podTemplate({ hostUsers: true }) }),
    "1.32",
    "1.33",
  ],
  ["suspend", "SuspendJob", jobsPath, job("j", { suspend: true }), "1.21", "1.22"],
  ["completionMode", "IndexedJob", jobsPath, job("j", { completionMode: "NonIndexed" }), "1.21", "1.22"],
  [
    "ttlSecondsAfterFinished",
    "TTLAfterFinished",
    jobsPath,
    job("j", { ttlSecondsAfterFinished: 9 }),
    "1.20",
    "1.21",
  ],
  [
    "podFailurePolicy",
    "JobPodFailurePolicy",
    jobsPath,
    job("j", { podFailurePolicy: { rules: [] } }),
    "1.25",
    "1.26",
  ],
  [
    "backoffLimitPerIndex",
    "JobBackoffLimitPerIndex",
    jobsPath,
    job("j", { completionMode: "Indexed", completions: 1, backoffLimitPerIndex: 1 }),
    "1.28",
    "1.29",
  ],
  [
    "podReplacementPolicy",
    "JobPodReplacementPolicy",
    jobsPath,
    job("j", { podReplacementPolicy: "Failed" }),
    "1.28",
    "1.29",
  ],
  [
    "successPolicy",
    "JobSuccessPolicy",
    jobsPath,
    job("j", {
      completionMode: "Indexed",
      completions: 1,
      successPolicy: { rules: [{ succeededCount: 1 }] },
    }),
    "1.30",
    "1.31",
  ],
  ["managedBy", "JobManagedBy", jobsPath, job("j", { managedBy: "example.com/me" }), "1.31", "1.32"],
  [
    "timeZone",
    "CronJobTimeZone",
    inDefault("batch/v1", "cronjobs"),
    cronJob({ timeZone: "UTC" }),
    "1.24",
    "1.25",
  ],
  ["maxSurge", "DaemonSetUpdateSurge", inDefault("apps/v1", "daemonsets"), workload("w"), "1.21", "1.22"],
  [
    "minReadySeconds",
    "StatefulSetMinReadySeconds",
    setsPath,
    workload("w", { minReadySeconds: 9 }),
    "1.22",
    "1.23",
  ],
  [
    "persistentVolumeClaimRetentionPolicy",
    "StatefulSetAutoDeletePVC",
    setsPath,
    workload("w"),
    "1.26",
    "1.27",
  ],
  [
    "ordinals",
    "StatefulSetStartOrdinal",
    setsPath,
    workload("w", { ordinals: { start: 1 } }),
    "1.26",
    "1.27",
  ],
  ["internalTrafficPolicy", "ServiceInternalTrafficPolicy", servicesPath, service(), "1.21", "1.22"],
  [
    "allocateLoadBalancerNodePorts",
    "ServiceLBNodePortControl",
    servicesPath,
    service({ type: "LoadBalancer" }),
    "1.21",
    "1.22",
  ],
  [
    "loadBalancerClass",
    "ServiceLoadBalancerClass",
    servicesPath,
    service({ type: "LoadBalancer", loadBalancerClass: "a/b" }),
    "1.21",
    "1.22",
  ],
  [
    "trafficDistribution",
    "ServiceTrafficDistribution",
    servicesPath,
    service({ trafficDistribution: "PreferClose" }),
    "1.30",
    "1.31",
  ],
  [
    "unhealthyPodEvictionPolicy",
    "PDBUnhealthyPodEvictionPolicy",
    inDefault("policy/v1", "poddisruptionbudgets"),
    budget({ unhealthyPodEvictionPolicy: "AlwaysAllow" }),
    "1.26",
    "1.27",
  ],
  [
    "tolerance",
    "HPAConfigurableTolerance",
    inDefault("autoscaling/v2", "horizontalpodautoscalers"),
    autoscaler({ behavior: { scaleUp: { tolerance: "100m" } } }),
    "1.34",
    "1.35",
  ],
];

/** The gates that a gate needs. */
const neededGates: { readonly [gate: string]: readonly string[] } = {
  ClusterTrustBundleProjection: ["ClusterTrustBundle"],
};

describe("the field", () => {
  test.each(gatedFields)("%s requires the gate %s", async (field, gate, path, body, closed, open) => {
    const stored = async (ask: ReturnType<typeof askingFor>) => {
      const { code, findings, object } = await ask("POST", path, body);
      expect([code, ...findings]).toEqual([201]);
      return hasField(object.spec, field.split("."));
    };
    expect(await stored(askingFor(closed))).toBe(false);
    expect(await stored(askingFor(closed, gate, ...(neededGates[gate] ?? [])))).toBe(true);
    if (open !== undefined) expect(await stored(askingFor(open))).toBe(true);
  });
});

/** Whether a value contains a field with this name or path. */
function hasField(value: unknown, path: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (at(value, path) !== undefined) return true;
  return Object.values(value).some((inner) => hasField(inner, path));
}

function at(value: unknown, [field, ...rest]: readonly string[]): unknown {
  if (field === undefined) return value;
  return typeof value === "object" && value !== null ? at(Reflect.get(value, field), rest) : undefined;
}
