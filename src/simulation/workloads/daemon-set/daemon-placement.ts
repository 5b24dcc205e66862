import { numberAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { isTerminating } from "../contract/object-key.ts";
import { scaledValue } from "../contract/percent.ts";
import { readySince, untilAvailable } from "../pods/pod-state.ts";
import { isOfRevision, isUpdated, type placementOf } from "./daemon-pod.ts";

/** A node with the daemons of a set on it. */
export interface DaemonNode {
  readonly name: string;
  readonly placement: ReturnType<typeof placementOf>;
  /** The oldest first. */
  readonly pods: readonly KubeObject[];
}

/** What to do. */
export interface DaemonPlan {
  /** The names of the nodes that need a pod. */
  readonly create: readonly string[];
  readonly remove: readonly KubeObject[];
}

/** How many daemons may be added to nodes that have one, and how many may be missing, during an update. */
interface UpdateLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** A set at one moment. */
export interface DaemonView {
  readonly set: KubeObject;
  readonly hash: string;
  readonly nodes: readonly DaemonNode[];
  readonly now: number;
  readonly since: Since;
}

/** Whether a daemon is available. */
export function isAvailable({ set, now }: DaemonView, pod: KubeObject): boolean {
  return untilAvailable(pod, numberAt(set, "spec", "minReadySeconds"), now) === 0;
}

/** The limits of a rolling update; undefined if the set waits for the deletion of its pods. */
function limitsOf({ set, nodes }: DaemonView): UpdateLimits | undefined {
  if (textAt(set, "spec", "updateStrategy", "type") !== "RollingUpdate") return undefined;
  const desired = nodes.filter(({ placement }) => placement === "runs").length;
  const limit = (field: string) =>
    scaledValue(valueAt(set, "spec", "updateStrategy", "rollingUpdate", field), desired, Math.ceil);
  const [maxSurge, maxUnavailable] = [limit("maxSurge"), limit("maxUnavailable")];
  return { maxSurge, maxUnavailable: maxSurge + maxUnavailable === 0 ? 1 : maxUnavailable };
}

/** Keeps one daemon on each node that runs one. Those that ended are not counted. Upstream: `podsShouldBeOnNode` (pkg/controller/daemon/daemon_controller.go). */
export function placeDaemons(view: DaemonView, isEnded: (pod: KubeObject) => boolean): DaemonPlan {
  const create: string[] = [];
  const remove: KubeObject[] = [];
  const surges = (limitsOf(view)?.maxSurge ?? 0) > 0;
  for (const { name, placement, pods } of view.nodes) {
    const staying = pods.filter((pod) => !isTerminating(pod));
    if (placement === "leaves") remove.push(...staying);
    else if (pods.length === 0) {
      if (placement === "runs") create.push(name);
    } else {
      const running = staying.filter((pod) => !isEnded(pod));
      remove.push(...(surges ? surplusOfSurge(view, running) : running.slice(1)));
      if (surges && running.length === 0 && placement === "runs") create.push(name);
    }
  }
  return { create, remove };
}

/** Two pods may be on a node while the new one gets ready and the old one serves. */
function surplusOfSurge(view: DaemonView, running: readonly KubeObject[]): readonly KubeObject[] {
  if (running.length <= 1) return [];
  const fresh = running.find((pod) => isOfRevision(pod, view.hash));
  const old = running.find((pod) => !isOfRevision(pod, view.hash));
  const others = running.filter((pod) => pod !== fresh && pod !== old);
  if (fresh === undefined || old === undefined) return others;
  const isReplaced = readySince(old) === undefined || isAvailable(view, fresh);
  return isReplaced ? [...others, old] : others;
}

/** One step of a rolling update. Upstream: `rollingUpdate` (pkg/controller/daemon/update.go). */
export function updateDaemons(view: DaemonView): DaemonPlan {
  const limits = limitsOf(view);
  if (limits === undefined) return { create: [], remove: [] };
  return limits.maxSurge > 0 ? surge(view, limits.maxSurge) : replace(view, limits.maxUnavailable);
}

/** The pods of a node that stay: at most one of the newest template, and one of an older one; otherwise undefined. */
function pairOf({ set, hash }: DaemonView, { pods }: DaemonNode) {
  const staying = pods.filter((pod) => !isTerminating(pod));
  const fresh = staying.filter((pod) => isUpdated(set, pod, hash));
  const old = staying.filter((pod) => !isUpdated(set, pod, hash));
  return fresh.length > 1 || old.length > 1 ? undefined : { fresh: fresh[0], old: old[0] };
}

function replace(view: DaemonView, maxUnavailable: number): DaemonPlan {
  // From 1.21 to 1.30, old pods that are not available do not count.
  const countsOld = view.since("1.31") || !view.since("1.21");
  let unavailable = 0;
  const broken: KubeObject[] = [];
  const candidates: KubeObject[] = [];
  for (const node of view.nodes.filter(({ placement, pods }) => placement === "runs" || pods.length > 0)) {
    const { fresh, old } = pairOf(view, node) ?? {};
    if (fresh === undefined && old !== undefined) {
      const isServing = isAvailable(view, old);
      (isServing ? candidates : broken).push(old);
      if (!isServing && countsOld) unavailable++;
    } else if (fresh === undefined || old !== undefined || !isAvailable(view, fresh)) unavailable++;
  }
  const room = Math.max(0, maxUnavailable - unavailable);
  return { create: [], remove: [...broken, ...candidates.slice(0, room)] };
}

function surge(view: DaemonView, maxSurge: number): DaemonPlan {
  let surging = 0;
  let available = 0;
  const remove: KubeObject[] = [];
  const misplaced: KubeObject[] = [];
  const broken: string[] = [];
  const candidates: string[] = [];
  for (const node of view.nodes) {
    const pair = pairOf(view, node);
    if (pair === undefined) surging++;
    const oldest = pair?.old ?? pair?.fresh;
    const isServing = oldest !== undefined && isAvailable(view, oldest);
    if (isServing) available++;
    if (pair?.old === undefined) continue;
    if (pair.fresh !== undefined) {
      if (isAvailable(view, pair.fresh)) remove.push(pair.old);
      else surging++;
    } else if (node.placement === "runs" || !view.since("1.29")) {
      (isServing ? candidates : broken).push(node.name);
    } else (isServing ? misplaced : remove).push(pair.old);
  }
  // The old pods on nodes that no longer fit stay until enough others are available.
  const desired = view.nodes.filter(({ placement }) => placement === "runs").length;
  remove.push(...misplaced.slice(0, Math.max(0, available - desired)));
  return { create: [...broken, ...candidates.slice(0, Math.max(0, maxSurge - surging))], remove };
}
