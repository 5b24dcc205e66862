import { badRequest } from "../../apimachinery/errors/errors.ts";
import { listAt, numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";

/** One run of a container; a restart begins another one. */
export interface ContainerRun {
  /** How often the container had been restarted before; undefined while nothing reports it. */
  readonly restart: number | undefined;
  /** In milliseconds since the epoch; undefined if nothing says so. */
  readonly startedAt: number | undefined;
  /** Undefined while it runs. */
  readonly finishedAt: number | undefined;
}

const lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];

/** Upstream: pkg/kubelet/images/types.go. */
const waitingTexts: { readonly [reason: string]: string } = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: "trying and failing to pull image",
};

/** The status of a container; undefined while nothing reports one. */
export function statusOf(pod: KubeObject, container: string): JsonObject | undefined {
  const statuses = lists.flatMap((list) => listAt(pod, "status", list));
  return statuses.find((status) => textAt(status, "name") === container);
}

/**
 * The run whose log a request is for. Without any container statuses, a script alone says that the container runs. Upstream:
 * pkg/kubelet/kubelet_pods.go, validateContainerLogStatus.
 * @throws {StatusError} badRequest if the container has not run
 */
export function loggedRun(pod: KubeObject, container: string, which: "current" | "previous"): ContainerRun {
  const title = `container ${goQuote(container)} in pod ${goQuote(pod.metadata.name ?? "")}`;
  const status = statusOf(pod, container);
  if (status === undefined) {
    const isReported = lists.some((list) => listAt(pod, "status", list).length > 0);
    if (isReported || which === "previous") throw badRequest(`${title} is not available`);
    return { restart: undefined, startedAt: undefined, finishedAt: undefined };
  }
  const last = objectAt(status, "lastState", "terminated");
  const running = objectAt(status, "state", "running");
  const terminated = objectAt(status, "state", "terminated");
  const restart = numberAt(status, "restartCount");
  // A container that waits for its next start has not been restarted yet.
  const isBetween = running === undefined && terminated === undefined;
  const lastRestart = isBetween ? restart : restart - 1;
  if (which === "previous") {
    if (last === undefined || isLost(last)) throw badRequest(`previous terminated ${title} not found`);
    return endedRun(last, lastRestart);
  }
  if (running !== undefined)
    return { restart, startedAt: timeAt(running, "startedAt"), finishedAt: undefined };
  if (terminated !== undefined && !isLost(terminated)) return endedRun(terminated, restart);
  if (last !== undefined && !isLost(last)) return endedRun(last, lastRestart);
  if ((terminated ?? last) !== undefined) throw badRequest(`${title} is terminated`);
  const reason = textAt(status, "state", "waiting", "reason");
  if (objectAt(status, "state", "waiting") === undefined)
    throw badRequest(`${title} is waiting to start - no logs yet`);
  throw badRequest(`${title} is waiting to start: ${waitingTexts[reason] ?? reason}`);
}

/** Whether a kubelet has not found the container any more: it has no log. */
function isLost(terminated: JsonObject): boolean {
  return (
    textAt(terminated, "containerID") === "" && textAt(terminated, "reason") === "ContainerStatusUnknown"
  );
}

/** Whether a container runs, as far as its status says. */
export function isRunning(pod: KubeObject, container: string): boolean {
  const status = statusOf(pod, container);
  if (status !== undefined) return objectAt(status, "state", "running") !== undefined;
  return lists.every((list) => listAt(pod, "status", list).length === 0);
}

function endedRun(terminated: JsonObject, restart: number): ContainerRun {
  return {
    restart,
    startedAt: timeAt(terminated, "startedAt"),
    finishedAt: timeAt(terminated, "finishedAt"),
  };
}

function timeAt(object: JsonObject, field: string): number | undefined {
  const text = textAt(object, field);
  return text === "" ? undefined : timeMilliseconds(text);
}
