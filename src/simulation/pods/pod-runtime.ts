import { listAt, numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";
import type { ContainerRole } from "../contract/scripted-life.ts";

/** A container that has ended. Times are milliseconds since the epoch. */
export interface EndedContainer {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Empty if the kubelet does not know the container any more; then it does not know the times, either. */
  readonly id: string;
  /** A failed probe has ended it. */
  readonly isUnhealthy?: boolean;
  /** It has ended because it is to have another image. */
  readonly isReplaced?: boolean;
}

/** A delay that doubles with each failure. */
export interface BackOff {
  /** The delay after the next failure. */
  readonly milliseconds: number;
  /** When it was set. */
  readonly updated: number;
}

/** What the container runtime and the kubelet know of a container. */
export interface ContainerRuntime {
  readonly restarts: number;
  readonly running?: { readonly startedAt: number; readonly id: string };
  /** How it ended, if it does not run. */
  readonly ended?: EndedContainer;
  /** How it ended the time before. */
  readonly last?: EndedContainer;
  /** The kubelet has removed it, to restart all containers of the pod. */
  readonly isRemoved?: boolean;
  /** Why it does not run, if it is to be started. */
  readonly waiting?: { readonly reason: string; readonly message?: string };
  /** The image with which it was started last. */
  readonly image?: string;
  /** What the node has allocated to it, since it runs. */
  readonly resources?: JsonObject;
  /** Of restarts. */
  readonly backOff?: BackOff;
  /** When its image is there, while it is being pulled. */
  readonly pulledAt?: number;
  /** How many failures of a probe of this run were reported. */
  readonly probeFailures?: number;
  /** How it ends, after a probe has failed or its image has changed. */
  readonly stop?: { readonly at: number; readonly isKilled: boolean; readonly isReplaced: boolean };
}

/** Why a kubelet ends a pod. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
  /** What the condition DisruptionTarget says, for pods that are evicted. */
  readonly disruption?: string;
  /** How long its containers may take to end, in milliseconds. */
  readonly grace: number;
}

/** Why a pod does not have the resources that it requests now. */
export interface PendingResize {
  readonly reason: "Infeasible" | "Deferred";
  readonly message: string;
}

/** How far a resize has come, by what events have said. */
export interface ResizeStep {
  readonly step: PendingResize["reason"] | "Started";
  /** Of the pod that it is for. */
  readonly generation: number;
}

/** What a kubelet knows of a pod. */
export interface PodRuntime {
  /** Namespace and name, with a slash. */
  readonly key: string;
  readonly uid: string;
  /** The name of its node. */
  readonly node: string;
  readonly startedAt: number;
  /** Its address, once it has a sandbox. */
  readonly address?: string;
  /** Why the kubelet has ended it. */
  readonly failure?: PodFailure;
  readonly pendingResize?: PendingResize;
  /** Of pulls that have failed, by their images. */
  readonly pullBackOffs?: { readonly [image: string]: BackOff };
  readonly resizing?: ResizeStep;
  /** When a container has ended in a way for which all of them restart, until all were removed. */
  readonly restartingSince?: number;
  /** When it was asked to terminate. */
  readonly terminatingSince?: number;
  /** How long its containers may take then, in milliseconds. */
  readonly terminationGrace?: number;
  /** When the containers that still run were asked to stop, because the pod has failed or its work is done. */
  readonly stoppingSince?: number;
  readonly containers: { readonly [name: string]: ContainerRuntime };
}

const newContainer: ContainerRuntime = { restarts: 0 };

/** What is known of a container, whose name may be "constructor". */
export function runtimeOf(containers: PodRuntime["containers"], name: string): ContainerRuntime {
  return (Object.hasOwn(containers, name) ? containers[name] : undefined) ?? newContainer;
}

/** Whether a container has never run. */
export function isNew({ running, ended, last }: ContainerRuntime): boolean {
  return (running ?? ended ?? last) === undefined;
}

/** A container of a pod, with its part. */
export interface PodContainer {
  readonly name: string;
  readonly role: ContainerRole;
  readonly spec: JsonObject;
}

/** The containers of a pod: those that run first come first. */
export function containersOf(pod: KubeObject): readonly PodContainer[] {
  const of = (field: string, roleOf: (container: JsonObject) => ContainerRole) =>
    listAt(pod, "spec", field).map((spec) => ({ name: textAt(spec, "name"), role: roleOf(spec), spec }));
  return [
    ...of("initContainers", ({ restartPolicy }) => (restartPolicy === "Always" ? "sidecar" : "init")),
    ...of("containers", () => "regular"),
    ...of("ephemeralContainers", () => "ephemeral"),
  ];
}

/** What the status of a pod says that another kubelet, or this one in an earlier life, has written. */
export function runtimeFromStatus(pod: KubeObject, now: number): PodRuntime {
  const started = textAt(pod, "status", "startTime");
  const address = textAt(pod, "status", "podIP");
  const statuses = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"].flatMap(
    (field) => listAt(pod, "status", field),
  );
  return {
    key: `${pod.metadata.namespace}/${pod.metadata.name}`,
    uid: pod.metadata.uid ?? "",
    node: textAt(pod, "spec", "nodeName"),
    startedAt: started === "" ? now : timeMilliseconds(started),
    ...(address !== "" && { address }),
    containers: Object.fromEntries(
      statuses.map((status) => [textAt(status, "name"), containerFromStatus(status, now)]),
    ),
  };
}

function containerFromStatus(status: JsonObject, now: number): ContainerRuntime {
  const running = objectAt(status, "state", "running");
  const resources = objectAt(status, "resources");
  const ended = endedFrom(status, "state");
  const last = endedFrom(status, "lastState");
  return {
    restarts: numberAt(status, "restartCount"),
    ...(resources !== undefined && { resources }),
    ...(running !== undefined && {
      running: { startedAt: timeOf(running, "startedAt", now), id: textAt(status, "containerID") },
    }),
    ...(ended !== undefined && { ended }),
    ...(last !== undefined && { last }),
  };
}

function endedFrom(status: JsonObject, field: string): EndedContainer | undefined {
  const ended = objectAt(status, field, "terminated");
  if (!isJsonObject(ended)) return undefined;
  return {
    exitCode: numberAt(ended, "exitCode"),
    reason: textAt(ended, "reason"),
    ...(textAt(ended, "message") !== "" && { message: textAt(ended, "message") }),
    startedAt: timeOf(ended, "startedAt", 0),
    finishedAt: timeOf(ended, "finishedAt", 0),
    id: textAt(ended, "containerID"),
  };
}

function timeOf(object: JsonObject, field: string, unset: number): number {
  const text = textAt(object, field);
  return text === "" ? unset : timeMilliseconds(text);
}
