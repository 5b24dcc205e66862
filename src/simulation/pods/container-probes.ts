import { listAt, numberAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { ContainerLife } from "../contract/scripted-life.ts";
import type { ContainerRuntime } from "./pod-runtime.ts";

const second = 1000;

/** When a running container has started, by its startup probe; in milliseconds since the epoch; undefined if never. */
export function startedTime(
  container: JsonObject,
  life: ContainerLife,
  startedAt: number,
): number | undefined {
  if (probeFailures(container, life, startedAt)?.probe === "startup") return undefined;
  return startedAt + probeDelay(objectAt(container, "startupProbe"));
}

/** When a running container is ready: as its script says, or as its probes do, which succeed at once; undefined if never. */
export function readyTime(container: JsonObject, life: ContainerLife, startedAt: number): number | undefined {
  const started = startedTime(container, life, startedAt);
  if (life.readyAfter === false || started === undefined) return undefined;
  if (life.readyAfter !== undefined) return Math.max(started, startedAt + life.readyAfter);
  const probe = objectAt(container, "readinessProbe");
  const failures = probeFailures(container, life, startedAt);
  if (failures?.probe === "readiness" && failures.successes < numberAt(probe ?? {}, "successThreshold"))
    return undefined;
  return Math.max(started, startedAt + probeDelay(probe));
}

/** When something of a running container changes because of its probes. */
export function probedTimes(
  container: JsonObject,
  life: ContainerLife,
  startedAt: number,
): readonly number[] {
  const times = [startedTime(container, life, startedAt), readyTime(container, life, startedAt)];
  return times.filter((time) => time !== undefined);
}

/** Whether a time has come. */
export function isPast(time: number | undefined, now: number): boolean {
  return time !== undefined && time <= now;
}

/** Whether a container is ready now. */
export function isReady(
  container: JsonObject,
  life: ContainerLife,
  { running }: ContainerRuntime,
  now: number,
): boolean {
  if (running === undefined || !isPast(readyTime(container, life, running.startedAt), now)) return false;
  const failures = probeFailures(container, life, running.startedAt);
  return failures?.probe !== "readiness" || failuresUntil(failures, now) < failures.count;
}

/** The failures of a probe in one run of a container, up to the one on which the kubelet acts. */
export interface ProbeFailures {
  readonly probe: "startup" | "readiness" | "liveness";
  /** The time of the first one, in milliseconds since the epoch. */
  readonly first: number;
  /** How far they are apart, in milliseconds. */
  readonly period: number;
  readonly count: number;
  /** How often it has succeeded before. */
  readonly successes: number;
  /** What a script lets it say. */
  readonly message: string | undefined;
}

/** The failures that a script lets a probe have; undefined if there are none. Upstream: `doProbe` (pkg/kubelet/prober/worker.go). */
export function probeFailures(
  container: JsonObject,
  { failingProbe }: ContainerLife,
  startedAt: number,
): ProbeFailures | undefined {
  if (failingProbe === undefined) return undefined;
  const { probe: name, after, message } = failingProbe;
  const probe = objectAt(container, `${name}Probe`);
  if (probe === undefined) return undefined;
  // Before the container has started, only its startup probe runs.
  const begin = name === "startup" ? 0 : probeDelay(objectAt(container, "startupProbe"));
  const first = startedAt + Math.max(begin, numberAt(probe, "initialDelaySeconds") * second);
  const period = Math.max(1, numberAt(probe, "periodSeconds")) * second;
  const successes = Math.max(0, Math.ceil((startedAt + after - first) / period));
  // One success ends a startup probe.
  if (name === "startup" && successes > 0) return undefined;
  const count = Math.max(1, numberAt(probe, "failureThreshold"));
  return { probe: name, first: first + successes * period, period, count, successes, message };
}

/** How many of the failures have happened by a time. */
export function failuresUntil({ first, period, count }: ProbeFailures, now: number): number {
  return Math.min(count, Math.max(0, Math.floor((now - first) / period) + 1));
}

/** What a probe says that fails, by the way it asks. `address` is that of its pod. Upstream: pkg/probe. */
export function failureMessage(
  container: JsonObject,
  name: ProbeFailures["probe"],
  address: string | undefined,
): string {
  const probe = structAt(container, `${name}Probe`);
  if (objectAt(probe, "httpGet") !== undefined) return "HTTP probe failed with statuscode: 500";
  const socket = objectAt(probe, "tcpSocket");
  if (socket !== undefined) {
    const host = textAt(socket, "host") || (address ?? "");
    const at = `${host.includes(":") ? `[${host}]` : host}:${portOf(container, socket["port"])}`;
    return `dial tcp ${at}: connect: connection refused`;
  }
  const grpc = objectAt(probe, "grpc");
  return grpc === undefined ? "" : `service unhealthy (responded with "NOT_SERVING")`;
}

/** The number of a port that may have a name (`ResolveContainerPort` in pkg/probe/util.go). */
function portOf(container: JsonObject, port: JsonValue | undefined): JsonValue | undefined {
  const named = listAt(container, "ports").find(({ name }) => name !== undefined && name === port);
  return named?.["containerPort"] ?? port;
}

/** The name of a probe in Events. */
export function probeTitle(probe: ProbeFailures["probe"]): string {
  return `${probe.charAt(0).toUpperCase()}${probe.slice(1)}`;
}

/** How long a container that a failed probe ends may take. */
export function probeGrace(container: JsonObject, probe: ProbeFailures["probe"], pod: JsonObject): number {
  const own = numberAt(objectAt(container, `${probe}Probe`) ?? {}, "terminationGracePeriodSeconds");
  return (own > 0 ? own : numberAt(pod, "spec", "terminationGracePeriodSeconds")) * second;
}

/** How long a probe that always succeeds takes to say so. */
function probeDelay(probe: JsonObject | undefined): number {
  if (probe === undefined) return 0;
  const initial = numberAt(probe, "initialDelaySeconds");
  const repeated = Math.max(0, numberAt(probe, "successThreshold") - 1) * numberAt(probe, "periodSeconds");
  return (initial + repeated) * second;
}
