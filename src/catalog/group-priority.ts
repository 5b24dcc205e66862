import type { GroupVersion } from "../apimachinery/group-version.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";

/** `groupPriorityMinimum` and `versionPriority` of an APIService: the higher one comes first. */
export interface GroupPriority {
  readonly group: number;
  readonly version: number;
}

/** The priority that the aggregator gives to the groups of custom resources. */
export const customResourcePriority: GroupPriority = { group: 1000, version: 100 };

/** The priorities of the built-in groups and versions of all releases. */
const priorities: { readonly [gv: string]: GroupPriority } = {
  v1: { group: 18000, version: 1 },
  "apiregistration.k8s.io/v1": { group: 18000, version: 15 },
  "apiregistration.k8s.io/v1beta1": { group: 18000, version: 10 },
  "extensions/v1beta1": { group: 17900, version: 1 },
  "apps/v1": { group: 17800, version: 15 },
  "apps/v1beta2": { group: 17800, version: 9 },
  "apps/v1beta1": { group: 17800, version: 1 },
  "events.k8s.io/v1": { group: 17750, version: 15 },
  "events.k8s.io/v1beta1": { group: 17750, version: 5 },
  "authentication.k8s.io/v1": { group: 17700, version: 15 },
  "authentication.k8s.io/v1beta1": { group: 17700, version: 9 },
  "authentication.k8s.io/v1alpha1": { group: 17700, version: 1 },
  "authorization.k8s.io/v1": { group: 17600, version: 15 },
  "authorization.k8s.io/v1beta1": { group: 17600, version: 9 },
  "autoscaling/v2": { group: 17500, version: 30 },
  "autoscaling/v1": { group: 17500, version: 15 },
  "autoscaling/v2beta1": { group: 17500, version: 9 },
  "autoscaling/v2beta2": { group: 17500, version: 1 },
  "batch/v1": { group: 17400, version: 15 },
  "batch/v1beta1": { group: 17400, version: 9 },
  "batch/v2alpha1": { group: 17400, version: 9 },
  "certificates.k8s.io/v1": { group: 17300, version: 15 },
  "certificates.k8s.io/v1beta1": { group: 17300, version: 9 },
  "certificates.k8s.io/v1alpha1": { group: 17300, version: 1 },
  "networking.k8s.io/v1": { group: 17200, version: 15 },
  "networking.k8s.io/v1beta1": { group: 17200, version: 9 },
  "networking.k8s.io/v1alpha1": { group: 17200, version: 1 },
  "policy/v1": { group: 17100, version: 15 },
  "policy/v1beta1": { group: 17100, version: 9 },
  "rbac.authorization.k8s.io/v1": { group: 17000, version: 15 },
  "rbac.authorization.k8s.io/v1beta1": { group: 17000, version: 12 },
  "rbac.authorization.k8s.io/v1alpha1": { group: 17000, version: 9 },
  "settings.k8s.io/v1alpha1": { group: 16900, version: 9 },
  "storage.k8s.io/v1": { group: 16800, version: 15 },
  "storage.k8s.io/v1beta1": { group: 16800, version: 9 },
  "storage.k8s.io/v1alpha1": { group: 16800, version: 1 },
  "admissionregistration.k8s.io/v1": { group: 16700, version: 15 },
  "admissionregistration.k8s.io/v1beta1": { group: 16700, version: 12 },
  "admissionregistration.k8s.io/v1alpha1": { group: 16700, version: 9 },
  "apiextensions.k8s.io/v1": { group: 16700, version: 15 },
  "apiextensions.k8s.io/v1beta1": { group: 16700, version: 9 },
  "scheduling.k8s.io/v1": { group: 16600, version: 15 },
  "scheduling.k8s.io/v1beta1": { group: 16600, version: 12 },
  "scheduling.k8s.io/v1alpha2": { group: 16600, version: 9 },
  "scheduling.k8s.io/v1alpha1": { group: 16600, version: 9 },
  "coordination.k8s.io/v1": { group: 16500, version: 15 },
  "coordination.k8s.io/v1beta1": { group: 16500, version: 13 },
  "coordination.k8s.io/v1alpha2": { group: 16500, version: 12 },
  "coordination.k8s.io/v1alpha1": { group: 16500, version: 9 },
  "auditregistration.k8s.io/v1alpha1": { group: 16400, version: 1 },
  "node.k8s.io/v1": { group: 16300, version: 15 },
  "node.k8s.io/v1beta1": { group: 16300, version: 9 },
  "node.k8s.io/v1alpha1": { group: 16300, version: 1 },
  "discovery.k8s.io/v1": { group: 16200, version: 15 },
  "discovery.k8s.io/v1beta1": { group: 16200, version: 12 },
  "discovery.k8s.io/v1alpha1": { group: 16200, version: 9 },
  "flowcontrol.apiserver.k8s.io/v1": { group: 16100, version: 21 },
  "flowcontrol.apiserver.k8s.io/v1beta3": { group: 16100, version: 18 },
  "flowcontrol.apiserver.k8s.io/v1beta2": { group: 16100, version: 15 },
  "flowcontrol.apiserver.k8s.io/v1beta1": { group: 16100, version: 12 },
  "flowcontrol.apiserver.k8s.io/v1alpha1": { group: 16100, version: 9 },
  "internal.apiserver.k8s.io/v1alpha1": { group: 16000, version: 9 },
  // The versions up to 1.31 put the group near the end; those since v1beta1 put it beside discovery.k8s.io.
  "resource.k8s.io/v1": { group: 16200, version: 20 },
  "resource.k8s.io/v1beta2": { group: 16200, version: 15 },
  "resource.k8s.io/v1beta1": { group: 16200, version: 9 },
  "resource.k8s.io/v1alpha3": { group: 15900, version: 1 },
  "resource.k8s.io/v1alpha2": { group: 15900, version: 1 },
  "resource.k8s.io/v1alpha1": { group: 15900, version: 1 },
  "storagemigration.k8s.io/v1beta1": { group: 15800, version: 15 },
  "storagemigration.k8s.io/v1alpha1": { group: 15800, version: 9 },
};

/** The priority of a built-in group and version; undefined for any other. */
export function builtinPriority(gv: GroupVersion): GroupPriority | undefined {
  const key = formatGroupVersion(gv);
  return Object.hasOwn(priorities, key) ? priorities[key] : undefined;
}

/**
 * Sorts in the order of discovery: groups by the highest group priority of their versions, then by name; the versions of a
 * group by their priority, then from the newest stable version down.
 */
export function inPriorityOrder<T extends GroupVersion & { readonly priority: GroupPriority }>(
  versions: readonly T[],
): readonly T[] {
  const places = new Map<string, number>();
  for (const { group, priority } of versions)
    places.set(group, Math.max(places.get(group) ?? 0, priority.group));
  const place = (group: string): number => places.get(group) ?? 0;
  return [...versions].sort((a, b) => {
    if (a.group !== b.group) return place(b.group) - place(a.group) || compareText(a.group, b.group);
    return b.priority.version - a.priority.version || compareKubeVersions(b.version, a.version);
  });
}

/**
 * Compares versions as upstream does (apimachinery/pkg/version/helpers.go, CompareKubeAwareVersionStrings), ascending: `foo1` <
 * `v1alpha1` < `v1alpha2` < `v1beta1` < `v1` < `v2`. Other names come first, in reverse alphabetical order.
 */
export function compareKubeVersions(a: string, b: string): number {
  const [left, right] = [parseKubeVersion(a), parseKubeVersion(b)];
  if (left === undefined && right === undefined) return compareText(b, a);
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  return left.stability - right.stability || left.major - right.major || left.minor - right.minor;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface KubeVersion {
  readonly major: number;
  /** 0 for alpha, 1 for beta, 2 for general availability. */
  readonly stability: number;
  readonly minor: number;
}

function parseKubeVersion(text: string): KubeVersion | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(text);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  if (stage === undefined) return { major: Number(major), stability: 2, minor: 0 };
  return { major: Number(major), stability: stage === "beta" ? 1 : 0, minor: Number(minor) };
}
