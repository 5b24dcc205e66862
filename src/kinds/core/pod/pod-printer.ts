import { booleanAt, listAt, numberAt, objectAt, sizeAt, textAt } from "../../../apimachinery/fields.ts";
import { humanDuration } from "../../../apimachinery/go/human-duration.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { timeMilliseconds } from "../../../apimachinery/time.ts";
import { ageOf, conditionOf, nameOf, orNone } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** How often containers were restarted, and when the last one that was had ended, in milliseconds. */
interface Restarts {
  readonly count: number;
  readonly last: number | undefined;
}

/** What the containers of a pod come to. */
interface ContainerState {
  readonly ready: number;
  /** The status cell they ask for, if they do. */
  readonly reason: string | undefined;
  readonly restarts: Restarts;
}

/** What the init containers come to; those that run beside the others are sidecars. */
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

/** The init containers, up to the one that holds the pod up; a sidecar does so until it has started. */
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

/** The containers proper, the first of which has the last word. */
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

/** The names of the init containers that go on running. */
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

/** What an init container waits for or died of; undefined when it is on its way. */
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

/** What the containers say, or else the scheduler, or else the status. */
function statusReason(pod: KubeObject, reason: string | undefined): string {
  if (reason !== undefined) return reason;
  const isGated = listAt(pod, "status", "conditions").some(
    (condition) => condition.type === "PodScheduled" && condition.reason === "SchedulingGated",
  );
  if (isGated) return "SchedulingGated";
  return textAt(pod, "status", "reason") || textAt(pod, "status", "phase");
}

/** A pod that is being deleted says so, unless it has ended or its node is lost. */
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

/** The first address, which some clients write without the list of all. */
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
