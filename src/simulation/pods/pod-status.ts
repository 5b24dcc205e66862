import { booleanAt, listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { type Condition, observedGeneration } from "../../kinds/core/pod/pod-conditions.ts";
import { type LifeScripts, lifeOf } from "../contract/scripted-life.ts";
import { isPast, isReady, startedTime } from "./container-probes.ts";
import { containerUser } from "./container-user.ts";
import type { ContainerView } from "./container-view.ts";
import { imageId, normalizedImage } from "./images.ts";
import { lostContainers } from "./lost-containers.ts";
import { podConditions } from "./pod-conditions.ts";
import { isFinal, type PodPhase, podPhase, shownPhase } from "./pod-phase.ts";
import {
  type ContainerRuntime,
  containersOf,
  type EndedContainer,
  type PodContainer,
  type PodRuntime,
  runtimeOf,
} from "./pod-runtime.ts";

/** What the status of a pod depends on besides the pod and its containers. */
export interface StatusContext {
  readonly gates: FeatureGates;
  readonly scripts: LifeScripts;
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** The address of the node. */
  readonly hostAddress: string;
}

/** The fields of the status that a kubelet writes. */
export function podStatus(pod: KubeObject, runtime: PodRuntime, context: StatusContext): JsonObject {
  const { gates, hostAddress } = context;
  const views = containersOf(pod).map((container) => containerView(pod, container, runtime, context));
  const next = podPhase(pod, views, runtime);
  const phase = shownPhase(next, views, textAt(pod, "status", "phase"));
  const { failure, address, pendingResize, terminatingSince } = runtime;
  const isTerminated =
    (failure !== undefined || terminatingSince !== undefined) &&
    views.every(({ state }) => state.running === undefined);
  const lost = isTerminated && gates.since("1.22") ? lostContainers(views) : noContainers;
  const shown = ({ container }: ContainerView, status: JsonObject) =>
    lost.has(container.name) ? { ...status, state: { terminated: unknownEnd } } : status;
  const hasInit = views.some(({ container: { role } }) => role === "init" || role === "sidecar");
  const statuses = (field: StatusField, of: readonly ContainerView["container"]["role"][]) => {
    const found = views.filter(({ container }) => of.includes(container.role));
    if (found.length === 0) return undefined;
    const sorted = field === "initContainerStatuses" ? found : found.toSorted(byName);
    return { [field]: sorted.map((view) => shown(view, containerStatus(pod, view, hasInit, gates))) };
  };
  const hasSandbox = address !== undefined && !isTerminated && !isFinal(phase);
  const disruption = gates.since("1.26") && isFinal(phase) ? disruptionOf(failure) : undefined;
  // The kubelet knows the address of its host before there is a sandbox.
  const podIP = address ?? (booleanAt(pod, "spec", "hostNetwork") ? hostAddress : undefined);
  return {
    ...observedGeneration(pod, gates),
    // The conditions are those of the phase by the containers.
    phase: isTerminated && gates.since("1.27") ? terminalPhase(phase) : phase,
    conditions: podConditions(pod, views, {
      phase: next,
      hasSandbox,
      disruption,
      resize: pendingResize,
      restartingSince: runtime.restartingSince,
      ...context,
    }),
    ...(failure !== undefined && phase === "Failed" && { reason: failure.reason, message: failure.message }),
    hostIP: hostAddress,
    ...(gates.isEnabled("PodHostIPs") && { hostIPs: [{ ip: hostAddress }] }),
    ...(podIP !== undefined && { podIP, podIPs: [{ ip: podIP }] }),
    startTime: formatTime(runtime.startedAt),
    ...statuses("initContainerStatuses", ["init", "sidecar"]),
    ...statuses("containerStatuses", ["regular"]),
    ...statuses("ephemeralContainerStatuses", ["ephemeral"]),
  };
}

const noContainers: ReadonlySet<string> = new Set();

/** How a container of a terminated pod has ended that never ran, or that the kubelet was about to start. */
const unknownEnd: JsonObject = {
  exitCode: 137,
  reason: "ContainerStatusUnknown",
  message: "The container could not be located when the pod was terminated",
};

/** A pod is deleted in a final phase only. */
function terminalPhase(phase: PodPhase): PodPhase {
  return phase === "Succeeded" ? phase : "Failed";
}

type StatusField = "initContainerStatuses" | "containerStatuses" | "ephemeralContainerStatuses";

function containerView(
  pod: KubeObject,
  container: PodContainer,
  { containers }: PodRuntime,
  { scripts, now }: StatusContext,
): ContainerView {
  const known = runtimeOf(containers, container.name);
  const state = pod.metadata.deletionTimestamp ? withoutRestart(known) : known;
  const life = lifeOf(scripts, pod, container.spec, container.role);
  const { running, ended } = state;
  return {
    container,
    state,
    isReady:
      container.role === "init"
        ? ended?.exitCode === 0
        : container.role !== "ephemeral" && isReady(container.spec, life, state, now),
    isStarted:
      container.role !== "ephemeral" &&
      running !== undefined &&
      isPast(startedTime(container.spec, life, running.startedAt), now),
  };
}

/** A container of a deleted pod does not wait for its start. Upstream: `ShouldContainerBeRestarted` (pkg/kubelet/container/helpers.go). */
function withoutRestart({ waiting: _, ...state }: ContainerRuntime): ContainerRuntime {
  return state;
}

/** The kubelet sorts the statuses of all but init containers (pkg/kubelet/types/types.go). */
function byName(a: ContainerView, b: ContainerView): number {
  return compareText(a.container.name, b.container.name);
}

/** Upstream: pkg/kubelet/eviction/eviction_manager.go and pkg/kubelet/preemption/preemption.go. */
function disruptionOf(failure: PodRuntime["failure"]): Condition | undefined {
  const message = failure?.disruption;
  if (message === undefined) return undefined;
  return { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message };
}

function containerStatus(
  pod: KubeObject,
  { container, state, isReady: ready, isStarted }: ContainerView,
  hasInit: boolean,
  gates: FeatureGates,
): JsonObject {
  const { running, ended, last, restarts } = state;
  const image = state.image ?? textAt(container.spec, "image");
  const id = (running?.id ?? ended?.id ?? last?.id) || undefined;
  // While it waits for a restart, its end is the last one.
  const isWaiting = running === undefined && state.waiting !== undefined;
  const before = isWaiting ? (ended ?? last) : last;
  return {
    name: container.name,
    state: stateOf(state, hasInit),
    lastState: before === undefined ? {} : { terminated: terminated(before) },
    ready,
    restartCount: restarts,
    image: id === undefined ? image : normalizedImage(image),
    imageID: id === undefined ? "" : imageId(image),
    ...(id !== undefined && { containerID: id }),
    ...(reportsStart(container, gates) && { started: isStarted }),
    ...(id !== undefined && allocation(state.resources ?? structAt(container.spec, "resources"), gates)),
    ...mounts(container.spec, gates),
    ...(id !== undefined && containerUser(pod, container.spec, gates)),
  };
}

/** Whether the status of a container says that it has started. Upstream: `UpdatePodStatus` (pkg/kubelet/prober/prober_manager.go). */
function reportsStart({ role }: PodContainer, { since }: FeatureGates): boolean {
  return role === "regular" || (role !== "ephemeral" && since("1.28"));
}

/** What the node has allocated to a container that was created. Upstream: `convertToAPIContainerStatuses` (pkg/kubelet/kubelet_pods.go). */
function allocation(resources: JsonObject, gates: FeatureGates): JsonObject {
  if (!gates.isEnabled("InPlacePodVerticalScaling")) return {};
  const { requests } = resources;
  return { ...(requests !== undefined && { allocatedResources: requests }), resources };
}

function mounts(spec: JsonObject, gates: FeatureGates): JsonObject {
  const mounted = listAt(spec, "volumeMounts");
  if (!gates.isEnabled("RecursiveReadOnlyMounts") || mounted.length === 0) return {};
  const volumeMounts = mounted.map(({ name = "", mountPath = "", readOnly, recursiveReadOnly }) => {
    if (readOnly !== true) return { name, mountPath };
    const isRecursive = recursiveReadOnly === "Enabled" || recursiveReadOnly === "IfPossible";
    const mode = isRecursive ? "Enabled" : "Disabled";
    return { name, mountPath, readOnly, recursiveReadOnly: mode };
  });
  return { volumeMounts };
}

function stateOf({ running, ended, waiting }: ContainerRuntime, hasInit: boolean): JsonObject {
  if (running !== undefined) return { running: { startedAt: formatTime(running.startedAt) } };
  if (waiting !== undefined) return { waiting: { ...waiting } };
  if (ended !== undefined) return { terminated: terminated(ended) };
  return { waiting: { reason: hasInit ? "PodInitializing" : "ContainerCreating" } };
}

function terminated(ended: EndedContainer): JsonObject {
  const { exitCode, reason, message, startedAt, finishedAt, id } = ended;
  const why = { exitCode, reason, ...(message !== undefined && { message }) };
  if (id === "") return why;
  return {
    ...why,
    startedAt: formatTime(startedAt),
    finishedAt: formatTime(finishedAt),
    containerID: id,
  };
}
