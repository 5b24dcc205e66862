import { booleanAt, listAt, numberAt, objectAt, sizeAt, textAt } from "../../../apimachinery/fields.ts";
import { humanDuration } from "../../../apimachinery/go/human-duration.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { timeMilliseconds } from "../../../apimachinery/time.ts";
import { ageOf, conditionOf, nameOf, orNone } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** The number of container restarts, and when the last restarted container had ended, in milliseconds. */
interface Restarts {
  readonly count: number;
  readonly last: number | undefined;
}

/** The cells that result from the containers of a pod. */
interface ContainerState {
  readonly ready: number;
  /** The text of the status cell, if the containers determine it. */
  readonly reason: string | undefined;
  readonly restarts: Restarts;
}

/** The result of the init containers, which include the sidecars. */
interface Initialization extends ContainerState {
  readonly sidecarRestarts: Restarts;
}

const noRestarts: Restarts = { count: 0, last: undefined };

export const podPrinter: Printer = {
  cells(pod, now) {
    const sidecars = sidecarNames(pod);
    const initialization = initContainerState(pod, sidecars);
    const isInitializing =
      initialization.reason !== undefined && conditionOf(pod, "Initialized")?.status !== "True";
    const { ready, reason, restarts } = isInitializing ? initialization : containerState(pod, initialization);
    return [
      nameOf(pod),
      `${ready}/${sizeAt(pod, "spec", "containers") + sidecars.size}`,
      statusText(pod, reason),
      restartsText(restarts, now),
      ageOf(pod, now),
      orNone(podIp(pod)),
      orNone(textAt(pod, "spec", "nodeName")),
      orNone(textAt(pod, "status", "nominatedNodeName")),
      readinessGates(pod),
    ];
  },
  conditions(pod) {
    switch (textAt(pod, "status", "phase")) {
      case "Succeeded":
        return succeeded;
      case "Failed":
        return failed;
      default:
        return undefined;
    }
  },
};

const succeeded = [completed("Succeeded", "The pod has completed successfully.")];
const failed = [completed("Failed", "The pod failed.")];

function completed(reason: string, message: string): JsonObject {
  return { type: "Completed", status: "True", reason, message };
}

/** The init containers, up to the first that is not complete. A sidecar is complete once it has started. */
function initContainerState(pod: KubeObject, sidecars: ReadonlySet<string>): Initialization {
  let ready = 0;
  let restarts = noRestarts;
  let sidecarRestarts = noRestarts;
  for (const [i, container] of listAt(pod, "status", "initContainerStatuses").entries()) {
    const isSidecar = sidecars.has(textAt(container, "name"));
    restarts = withRestarts(restarts, container);
    if (isSidecar) sidecarRestarts = withRestarts(sidecarRestarts, container);
    if (hasSucceeded(container)) continue;
    if (isSidecar && booleanAt(container, "started")) {
      if (booleanAt(container, "ready")) ready++;
      continue;
    }
    const progress = `${i}/${sizeAt(pod, "spec", "initContainers")}`;
    return { ready, reason: `Init:${initReason(container) ?? progress}`, restarts, sidecarRestarts };
  }
  return { ready, reason: undefined, restarts, sidecarRestarts };
}

/** The other containers. The first one takes precedence. */
function containerState(pod: KubeObject, initialization: Initialization): ContainerState {
  let { ready, reason, sidecarRestarts: restarts } = initialization;
  let isRunning = false;
  for (const container of listAt(pod, "status", "containerStatuses").toReversed()) {
    restarts = withRestarts(restarts, container);
    const waiting = textAt(container, "state", "waiting", "reason");
    const terminated = objectAt(container, "state", "terminated");
    if (waiting !== "") {
      reason = waiting;
    } else if (terminated !== undefined) {
      reason = terminationText(terminated);
    } else if (booleanAt(container, "ready") && objectAt(container, "state", "running") !== undefined) {
      isRunning = true;
      ready++;
    }
  }
  if (isRunning && statusReason(pod, reason) === "Completed") {
    reason = isReady(pod) ? "Running" : "NotReady";
  }
  return { ready, reason, restarts };
}

/** The names of the restartable init containers. */
function sidecarNames(pod: KubeObject): ReadonlySet<string> {
  const sidecars = listAt(pod, "spec", "initContainers").filter(
    (container) => container.restartPolicy === "Always",
  );
  return new Set(sidecars.map((container) => textAt(container, "name")));
}

function hasSucceeded(container: JsonObject): boolean {
  const terminated = objectAt(container, "state", "terminated");
  return terminated !== undefined && numberAt(terminated, "exitCode") === 0;
}

/** Why an init container waits or has failed; undefined if it makes progress. */
function initReason(container: JsonObject): string | undefined {
  const terminated = objectAt(container, "state", "terminated");
  if (terminated !== undefined) return terminationText(terminated);
  const waiting = textAt(container, "state", "waiting", "reason");
  return waiting === "" || waiting === "PodInitializing" ? undefined : waiting;
}

function terminationText(terminated: JsonObject): string {
  const reason = textAt(terminated, "reason");
  if (reason !== "") return reason;
  const signal = numberAt(terminated, "signal");
  return signal === 0 ? `ExitCode:${numberAt(terminated, "exitCode")}` : `Signal:${signal}`;
}

/** The reason of the containers, else the scheduling gate, else that of the status. */
function statusReason(pod: KubeObject, reason: string | undefined): string {
  if (reason !== undefined) return reason;
  const isGated = listAt(pod, "status", "conditions").some(
    (condition) => condition.type === "PodScheduled" && condition.reason === "SchedulingGated",
  );
  if (isGated) return "SchedulingGated";
  return textAt(pod, "status", "reason") || textAt(pod, "status", "phase");
}

/** `Terminating` for a pod that is being deleted, unless it has ended or its node is lost. */
function statusText(pod: KubeObject, reason: string | undefined): string {
  if (pod.metadata.deletionTimestamp) {
    if (textAt(pod, "status", "reason") === "NodeLost") return "Unknown";
    const phase = textAt(pod, "status", "phase");
    if (phase !== "Succeeded" && phase !== "Failed") return "Terminating";
  }
  return statusReason(pod, reason);
}

function isReady(pod: KubeObject): boolean {
  return listAt(pod, "status", "conditions").some(
    (condition) => condition.type === "Ready" && condition.status === "True",
  );
}

function withRestarts({ count, last }: Restarts, container: JsonObject): Restarts {
  const finishedAt = timeMilliseconds(textAt(container, "lastState", "terminated", "finishedAt"));
  const isLater = !Number.isNaN(finishedAt) && (last === undefined || finishedAt > last);
  return { count: count + numberAt(container, "restartCount"), last: isLater ? finishedAt : last };
}

function restartsText({ count, last }: Restarts, now: number): string {
  return count === 0 || last === undefined ? String(count) : `${count} (${humanDuration(now - last)} ago)`;
}

/** The first address. Some clients set only `podIP`. */
function podIp(pod: KubeObject): string {
  const [first] = listAt(pod, "status", "podIPs");
  return first === undefined ? textAt(pod, "status", "podIP") : textAt(first, "ip");
}

function readinessGates(pod: KubeObject): string {
  const gates = listAt(pod, "spec", "readinessGates");
  if (gates.length === 0) return "<none>";
  const open = gates.filter((gate) => conditionOf(pod, textAt(gate, "conditionType"))?.status === "True");
  return `${open.length}/${gates.length}`;
}
