import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import { checkOptions, type OptionType, type OptionTypes } from "../apimachinery/option-checks.ts";
import { oneOf, text } from "../apimachinery/option-types.ts";
import { exitCode, made } from "./made-life.ts";
import type { PodLife } from "./pod-life.ts";

/** Milliseconds, or a duration such as `"2s"`, by the cluster's clock. */
export type LifeTime = number | string;

const time: OptionType = {
  accepts: 'milliseconds, or a duration such as "2s"',
  isValid: (value) => isTime(value),
};

/** Containers start and are ready after some time. */
export interface RunningOptions {
  /** How long after its start a container is ready. Default: what its probes say, or at once. */
  readonly readyAfter?: LifeTime;
  /** How long images are pulled. Default: 0. */
  readonly pullTakes?: LifeTime;
}

/** The containers of a pod start and stay. Without any script, the containers of most pods do. */
export function running(options: RunningOptions = {}): PodLife {
  check("running", options, { readyAfter: time, pullTakes: time });
  const { readyAfter, pullTakes } = options;
  return made({
    name: "running",
    ...(readyAfter !== undefined && { readyAfter: millisecondsOf(readyAfter) }),
    ...(pullTakes !== undefined && { pullTakes: millisecondsOf(pullTakes) }),
  });
}

/** How containers end. */
export interface ExitOptions {
  /** Default: 1. */
  readonly exitCode?: number;
  /** How long after each start. Default: at once. */
  readonly after?: LifeTime;
}

/** Containers end with an error after each start, so that the kubelet restarts them with increasing delays: CrashLoopBackOff. */
export function crashLoop(options: ExitOptions = {}): PodLife {
  check("crashLoop", options, { exitCode, after: time });
  const { exitCode: code = 1, after = 0 } = options;
  const reason = code === 0 ? "Completed" : "Error";
  return made({ name: "crashLoop", exit: { exitCode: code, reason, after: millisecondsOf(after) } });
}

/** When something happens. */
export interface AfterOptions {
  /** Default: at once. */
  readonly after?: LifeTime;
}

/** Containers need more memory than they may have: they end with exit code 137 and the reason OOMKilled after each start. */
export function oomKilled(options: AfterOptions = {}): PodLife {
  const after = afterOf("oomKilled", options);
  return made({ name: "oomKilled", exit: { exitCode: 137, reason: "OOMKilled", after } });
}

/** Containers end without an error. */
export function completes(options: AfterOptions = {}): PodLife {
  const after = afterOf("completes", options);
  return made({ name: "completes", exit: { exitCode: 0, reason: "Completed", after } });
}

/** Why images cannot be pulled. */
export interface ImagePullOptions {
  /** The error of the container runtime. Default: that of an image that does not exist. */
  readonly message?: string;
}

/** Images cannot be pulled: ErrImagePull, then ImagePullBackOff with increasing delays. */
export function imagePullBackOff(options: ImagePullOptions = {}): PodLife {
  check("imagePullBackOff", options, { message: text });
  const { message = "" } = options;
  return made({ name: "imagePullBackOff", pullError: message });
}

/** Containers run, but are never ready. */
export function neverReady(): PodLife {
  return made({ name: "neverReady", readyAfter: false });
}

/** Which probe fails. */
export interface UnhealthyOptions {
  /** Default: liveness. */
  readonly probe?: "startup" | "readiness" | "liveness";
  /** How long after each start. Default: at once. */
  readonly after?: LifeTime;
  /** What the probe says. Default: that of a server that fails, or does not listen. */
  readonly message?: string;
}

/**
 * A probe of containers that have one fails some time after each start, as often as its `failureThreshold`. The kubelet then restarts
 * the container, or, for a readiness probe, takes it out of service.
 */
export function unhealthy(options: UnhealthyOptions = {}): PodLife {
  check("unhealthy", options, {
    probe: oneOf("startup", "readiness", "liveness"),
    after: time,
    message: text,
  });
  const { probe = "liveness", after = 0, message } = options;
  const failingProbe = { probe, after: millisecondsOf(after), ...(message !== undefined && { message }) };
  return made({ name: "unhealthy", failingProbe });
}

/** How a pod is evicted. */
export interface EvictedOptions extends AfterOptions {
  /** Default: that the node was low on memory. */
  readonly message?: string;
}

/** The kubelet evicts the pod some time after it has started: phase Failed with the reason Evicted. */
export function evicted(options: EvictedOptions = {}): PodLife {
  check("evicted", options, { after: time, message: text });
  const {
    after = 0,
    message = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 40Mi. ",
  } = options;
  return made({ name: "evicted", eviction: { after: millisecondsOf(after), message } });
}

/**
 * The nodes on which such pods run are lost: their kubelets do nothing any more, and 40 seconds later their conditions are
 * Unknown. They come back when the script ends.
 */
export function nodeLost(options: AfterOptions = {}): PodLife {
  return made({ name: "nodeLost", nodeLost: { after: afterOf("nodeLost", options) } });
}

/** How slowly pods terminate. */
export interface SlowTerminationOptions {
  /** How long containers go on after they were asked to terminate. Default: until the grace period is over. */
  readonly takes?: LifeTime;
}

/** Containers take their time to terminate. When the grace period is over, they are killed with exit code 137. */
export function slowTermination(options: SlowTerminationOptions = {}): PodLife {
  check("slowTermination", options, { takes: time });
  const { takes = Number.MAX_SAFE_INTEGER } = options;
  return made({ name: "slowTermination", terminationTakes: millisecondsOf(takes) });
}

function afterOf(call: string, options: AfterOptions): number {
  check(call, options, { after: time });
  return millisecondsOf(options.after ?? 0);
}

function check(call: string, options: object, types: OptionTypes): void {
  checkOptions(call, options, types);
}

function isTime(value: unknown): boolean {
  if (typeof value !== "number" && typeof value !== "string") return false;
  try {
    const milliseconds = millisecondsOf(value);
    return Number.isFinite(milliseconds) && milliseconds >= 0;
  } catch {
    return false;
  }
}

function millisecondsOf(value: LifeTime): number {
  return typeof value === "number" ? value : parseDurationMilliseconds(value);
}
