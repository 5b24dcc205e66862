import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import type { Since } from "../../apimachinery/release.ts";
import { formatTime, timeMilliseconds } from "../../apimachinery/time.ts";
import type { Scripts } from "../../streams/find-scripts.ts";
import { podsOn, type RunningContainer, runningContainers, specOf } from "./node-pods.ts";
import { noUsage, scriptedUsage, sumOfUsage, type UsedResources } from "./used-resources.ts";

const claims = { group: "", resource: "persistentvolumeclaims" };

/** What statistics come from. */
export interface StatsSource {
  readonly lister: Lister;
  readonly scripts: Pick<Scripts, "all">;
  readonly since: Since;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** A container and what it uses. */
export interface MeasuredContainer extends RunningContainer {
  readonly used: UsedResources;
}

/** A pod with running containers. */
export interface MeasuredPod {
  readonly pod: KubeObject;
  readonly containers: readonly MeasuredContainer[];
  readonly used: UsedResources;
}

/** A node with what its pods use. */
export interface MeasuredNode {
  readonly node: KubeObject;
  readonly pods: readonly MeasuredPod[];
  readonly used: UsedResources;
}

/** What scripts say that a node and its containers use. What they say nothing about does nothing; a node uses what its pods do. */
export function measured(node: KubeObject, { lister, scripts, now }: StatsSource): MeasuredNode {
  const pods = podsOn(lister, node).flatMap((pod): readonly MeasuredPod[] => {
    const containers = runningContainers(pod).map((container) => {
      const span = { from: container.startedAt, to: now };
      return { ...container, used: scriptedUsage(scripts, pod, container.name, span) ?? noUsage() };
    });
    if (containers.length === 0) return [];
    return [{ pod, containers, used: sumOfUsage(containers.map(({ used }) => used)) }];
  });
  const span = { from: timeMilliseconds(node.metadata.creationTimestamp ?? ""), to: now };
  const used = scriptedUsage(scripts, node, undefined, span) ?? sumOfUsage(pods.map((pod) => pod.used));
  return { node, pods, used };
}

/**
 * What `/stats/summary` answers. Upstream: pkg/kubelet/server/stats/summary.go. Networks, inodes and processes are not there: nothing says
 * anything about them.
 */
export function statsSummary(
  node: KubeObject,
  source: StatsSource,
  content: "all" | "cpuAndMemory",
): JsonObject {
  const { pods, used } = measured(node, source);
  const time = formatTime(source.now);
  const isWhole = content === "all";
  const disk = fsStats(time, bytesAt(node, "status", "capacity", "ephemeral-storage"));
  const runtime = { imageFs: disk, ...(source.since("1.29") && { containerFs: disk }) };
  return {
    node: {
      nodeName: node.metadata.name ?? "",
      startTime: node.metadata.creationTimestamp ?? null,
      ...processStats(used, time, bytesAt(node, "status", "capacity", "memory")),
      ...(isWhole && { fs: disk, runtime }),
      ...swapStats(source.since, time),
    },
    pods: pods.map((pod) => podStats(pod, source, isWhole)),
  };
}

function podStats({ pod, containers, used }: MeasuredPod, source: StatsSource, isWhole: boolean): JsonObject {
  const { name = "", namespace = "", uid = "", creationTimestamp } = pod.metadata;
  const time = formatTime(source.now);
  const volumes = isWhole ? claimStats(pod, source.lister, time) : [];
  return {
    podRef: { name, namespace, uid },
    startTime: textAt(pod, "status", "startTime") || (creationTimestamp ?? null),
    containers: containers.map((container) => ({
      name: container.name,
      startTime: formatTime(container.startedAt),
      ...processStats(container.used, time, memoryLimit(pod, container.name)),
      ...swapStats(source.since, time),
    })),
    ...processStats(used, time, 0),
    ...(volumes.length > 0 && { volume: volumes }),
    ...(source.since("1.28") && { swap: { time, swapUsageBytes: 0 } }),
  };
}

/** Memory is available where it has a limit. */
function processStats(
  { nanoCores, coreNanoSeconds, memoryBytes }: UsedResources,
  time: string,
  limit: number,
): JsonObject {
  return {
    cpu: { time, usageNanoCores: nanoCores, usageCoreNanoSeconds: coreNanoSeconds },
    memory: {
      time,
      ...(limit > 0 && { availableBytes: Math.max(0, limit - memoryBytes) }),
      usageBytes: memoryBytes,
      workingSetBytes: memoryBytes,
      rssBytes: memoryBytes,
      pageFaults: 0,
      majorPageFaults: 0,
    },
  };
}

function swapStats(since: Since, time: string): JsonObject {
  return since("1.28") ? { swap: { time, swapAvailableBytes: 0, swapUsageBytes: 0 } } : {};
}

function fsStats(time: string, capacity: number): JsonObject {
  return { time, availableBytes: capacity, capacityBytes: capacity, usedBytes: 0 };
}

/** The volumes of bound claims, which are empty. */
function claimStats(pod: KubeObject, lister: Lister, time: string): readonly JsonObject[] {
  const namespace = pod.metadata.namespace ?? "";
  return listAt(pod, "spec", "volumes").flatMap((volume) => {
    const name = textAt(volume, "persistentVolumeClaim", "claimName");
    const claim = name === "" ? undefined : lister.get(claims, namespace, name);
    if (claim === undefined || objectAt(claim, "status", "capacity") === undefined) return [];
    const stats = fsStats(time, bytesAt(claim, "status", "capacity", "storage"));
    return [{ ...stats, name: textAt(volume, "name"), pvcRef: { name, namespace } }];
  });
}

function memoryLimit(pod: KubeObject, container: string): number {
  const spec = specOf(pod, container);
  return spec === undefined ? 0 : bytesAt(spec, "resources", "limits", "memory");
}

function bytesAt(object: JsonObject, ...path: readonly string[]): number {
  const text = textAt(object, ...path);
  return text === "" ? 0 : parseQuantity(text).asApproximateFloat();
}
