import type { GroupVersion } from "../apimachinery/group-version.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";

/** `groupPriorityMinimum` and `versionPriority` of an APIService: the higher one comes first. */
export interface GroupPriority {
  readonly group: number;
  readonly version: number;
}

/** The priority that the aggregator gives to the groups of custom resources. */
export const customResourcePriority: GroupPriority = { group: 1000, version: 100 };

/**
 * The priorities of the built-in groups and versions of all releases: a group (`-` is the core group), its priority, and its versions
 * with theirs. The versions of resource.k8s.io up to 1.31 put the group near the end; those since v1beta1 put it beside discovery.k8s.io.
 */
const table = `
- 18000 v1=1
apiregistration.k8s.io 18000 v1=15 v1beta1=10
extensions 17900 v1beta1=1
apps 17800 v1=15 v1beta2=9 v1beta1=1
events.k8s.io 17750 v1=15 v1beta1=5
authentication.k8s.io 17700 v1=15 v1beta1=9 v1alpha1=1
authorization.k8s.io 17600 v1=15 v1beta1=9
autoscaling 17500 v2=30 v1=15 v2beta1=9 v2beta2=1
batch 17400 v1=15 v1beta1=9 v2alpha1=9
certificates.k8s.io 17300 v1=15 v1beta1=9 v1alpha1=1
networking.k8s.io 17200 v1=15 v1beta1=9 v1alpha1=1
policy 17100 v1=15 v1beta1=9
rbac.authorization.k8s.io 17000 v1=15 v1beta1=12 v1alpha1=9
settings.k8s.io 16900 v1alpha1=9
storage.k8s.io 16800 v1=15 v1beta1=9 v1alpha1=1
admissionregistration.k8s.io 16700 v1=15 v1beta1=12 v1alpha1=9
apiextensions.k8s.io 16700 v1=15 v1beta1=9
scheduling.k8s.io 16600 v1=15 v1beta1=12 v1alpha2=9 v1alpha1=9
coordination.k8s.io 16500 v1=15 v1beta1=13 v1alpha2=12 v1alpha1=9
auditregistration.k8s.io 16400 v1alpha1=1
node.k8s.io 16300 v1=15 v1beta1=9 v1alpha1=1
discovery.k8s.io 16200 v1=15 v1beta1=12 v1alpha1=9
flowcontrol.apiserver.k8s.io 16100 v1=21 v1beta3=18 v1beta2=15 v1beta1=12 v1alpha1=9
internal.apiserver.k8s.io 16000 v1alpha1=9
resource.k8s.io 16200 v1=20 v1beta2=15 v1beta1=9
resource.k8s.io 15900 v1alpha3=1 v1alpha2=1 v1alpha1=1
storagemigration.k8s.io 15800 v1beta1=15 v1alpha1=9
`;

const priorities: ReadonlyMap<string, GroupPriority> = new Map(
  table.trim().split("\n").flatMap(prioritiesOf),
);

function prioritiesOf(line: string): readonly (readonly [gv: string, priority: GroupPriority])[] {
  const [name = "", priority, ...versions] = line.split(" ");
  const group = name === "-" ? "" : name;
  return versions.map((entry) => {
    const [version = "", ofVersion] = entry.split("=");
    return [formatGroupVersion({ group, version }), { group: Number(priority), version: Number(ofVersion) }];
  });
}

/** The priority of a built-in group and version; undefined for any other. */
export function builtinPriority(gv: GroupVersion): GroupPriority | undefined {
  return priorities.get(formatGroupVersion(gv));
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
