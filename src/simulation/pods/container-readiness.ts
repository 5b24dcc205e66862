import { numberAt, objectAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { ContainerLife } from "../contract/scripted-life.ts";
import type { ContainerRuntime } from "./pod-runtime.ts";

const second = 1000;

/** When a running container has started, by its startup probe; in milliseconds since the epoch. */
export function startedTime(container: JsonObject, startedAt: number): number {
  return startedAt + probeDelay(objectAt(container, "startupProbe"));
}

/** When a running container is ready: as its script says, or as its probes do, which succeed at once; undefined if never. */
export function readyTime(container: JsonObject, life: ContainerLife, startedAt: number): number | undefined {
  if (life.readyAfter === false) return undefined;
  const started = startedTime(container, startedAt);
  if (life.readyAfter !== undefined) return Math.max(started, startedAt + life.readyAfter);
  return Math.max(started, startedAt + probeDelay(objectAt(container, "readinessProbe")));
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
  return running !== undefined && isPast(readyTime(container, life, running.startedAt), now);
}

/** How long a probe that always succeeds takes to say so. */
function probeDelay(probe: JsonObject | undefined): number {
  if (probe === undefined) return 0;
  const initial = numberAt(probe, "initialDelaySeconds");
  const repeated = Math.max(0, numberAt(probe, "successThreshold") - 1) * numberAt(probe, "periodSeconds");
  return (initial + repeated) * second;
}
