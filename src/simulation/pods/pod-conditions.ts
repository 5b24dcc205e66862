import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { type Condition, observedGeneration } from "../../kinds/core/pod/pod-conditions.ts";
import type { ContainerView } from "./container-view.ts";
import type { PodPhase } from "./pod-phase.ts";
import type { PendingResize } from "./pod-runtime.ts";
import { restartingCondition } from "./restart-all.ts";

const resizePending = "PodResizePending";

/** What conditions depend on besides the containers. */
export interface ConditionContext {
  readonly phase: PodPhase;
  readonly hasSandbox: boolean;
  /** Why the kubelet has evicted the pod. */
  readonly disruption: Condition | undefined;
  /** Why the pod does not have the resources that it requests. */
  readonly resize: PendingResize | undefined;
  /** Since when all containers restart. */
  readonly restartingSince: number | undefined;
  readonly gates: FeatureGates;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/**
 * All conditions of a pod: those of others, and then those of the kubelet. Upstream: `mergePodStatus` (pkg/kubelet/status/status_manager.go) and
 * pkg/kubelet/status/generate.go.
 */
export function podConditions(
  pod: KubeObject,
  views: readonly ContainerView[],
  context: ConditionContext,
): readonly JsonObject[] {
  const old = listAt(pod, "status", "conditions");
  const own = ownConditions(pod, views, context);
  const restarting = restartingCondition(pod, context.phase, context.restartingSince);
  const types = new Set([resizePending, ...[...own, ...restarting].map(({ type }) => type)]);
  const byOthers = old.filter(({ type }) => typeof type === "string" && !types.has(type));
  const { resize, disruption } = context;
  const pending: readonly Condition[] =
    resize === undefined ? [] : [{ type: resizePending, status: "True", ...resize }];
  const shared = disruption === undefined ? pending : [...pending, disruption];
  const others = byOthers.filter(({ type }) => shared.every((one) => one.type !== type));
  const seen = observedGeneration(pod, context.gates);
  const written = [...shared, ...own].map((condition) => dated(condition, seen, old, context));
  return [...others, ...written, ...restarting.map((condition) => dated(condition, {}, old, context))];
}

function ownConditions(
  pod: KubeObject,
  views: readonly ContainerView[],
  { phase, hasSandbox, gates }: ConditionContext,
): readonly Condition[] {
  const containers = containersReady(views, phase);
  const initialized = isInitialized(views, phase);
  const sandbox: Condition = {
    type: "PodReadyToStartContainers",
    status: hasSandbox ? "True" : "False",
  };
  return [
    ...(gates.isEnabled("PodReadyToStartContainersCondition") ? [sandbox] : []),
    initialized,
    { ...podReady(pod, containers), type: "Ready" },
    { ...containers, type: "ContainersReady" },
    { type: "PodScheduled", status: "True" },
  ];
}

function isInitialized(views: readonly ContainerView[], phase: PodPhase): Condition {
  const type = "Initialized";
  if (phase === "Succeeded") return { type, status: "True", reason: "PodCompleted" };
  const hasBegun = views.some(
    ({ container, state: { running, ended, last } }) =>
      container.role === "regular" && (running ?? ended ?? last) !== undefined,
  );
  const incomplete = views.filter(({ container, isReady, isStarted }) => {
    if (container.role === "init") return !isReady;
    return container.role === "sidecar" && !isStarted;
  });
  if (hasBegun || incomplete.length === 0) return { type, status: "True" };
  const names = incomplete.map(({ container }) => container.name).join(" ");
  const message = `containers with incomplete status: [${names}]`;
  return { type, status: "False", reason: "ContainersNotInitialized", message };
}

/** Whether all containers are ready, as the conditions Ready and ContainersReady say. */
function containersReady(views: readonly ContainerView[], phase: PodPhase): Omit<Condition, "type"> {
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  const unready = views.filter(
    ({ container: { role }, isReady }) => (role === "regular" || role === "sidecar") && !isReady,
  );
  if (unready.length === 0) return { status: "True" };
  const names = unready.map(({ container }) => container.name).join(" ");
  return {
    status: "False",
    reason: "ContainersNotReady",
    message: `containers with unready status: [${names}]`,
  };
}

function podReady(pod: KubeObject, containers: Omit<Condition, "type">): Omit<Condition, "type"> {
  if (containers.status !== "True") return containers;
  const conditions = listAt(pod, "status", "conditions");
  const messages = listAt(pod, "spec", "readinessGates").flatMap((gate) => {
    const type = textAt(gate, "conditionType");
    const found = conditions.find((condition) => condition["type"] === type);
    if (found === undefined)
      return [`corresponding condition of pod readiness gate "${type}" does not exist.`];
    const status = textAt(found, "status");
    return status === "True"
      ? []
      : [`the status of pod readiness gate "${type}" is not "True", but ${status}`];
  });
  if (messages.length === 0) return containers;
  return { status: "False", reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}

/** A condition with its times. */
function dated(
  condition: Condition,
  seen: JsonObject,
  old: readonly JsonObject[],
  { now }: Pick<ConditionContext, "now">,
): JsonObject {
  const before = old.find(({ type }) => type === condition.type);
  const isSame = before?.["status"] === condition.status;
  const lastTransitionTime = isSame ? (before?.["lastTransitionTime"] ?? null) : formatTime(now);
  return { ...condition, ...seen, lastProbeTime: null, lastTransitionTime };
}
