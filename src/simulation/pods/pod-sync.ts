import { numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type ContainerLife, type LifeScript, lifeOf, scriptOf } from "../contract/scripted-life.ts";
import type { RecordedEvent } from "../events/recorded-event.ts";
import { nextBackOff, nextTry } from "./back-off.ts";
import { readyTime, startedTime } from "./container-readiness.ts";
import { pullEvents } from "./image-pull.ts";
import { type MissingReference, missingEnvironment, missingVolume } from "./missing-references.ts";
import {
  type ContainerRuntime,
  containersOf,
  type EndedContainer,
  newContainer,
  type PodContainer,
  type PodRuntime,
} from "./pod-runtime.ts";
import type { SyncContext } from "./sync-context.ts";

/** What one sync of a pod has led to. */
export interface SyncResult {
  readonly runtime: PodRuntime;
  readonly events: readonly RecordedEvent[];
  /** When something happens next, in milliseconds since the epoch. */
  readonly due: number | undefined;
  /** Something happens at once, after the status of now was written. */
  readonly isBrief: boolean;
  /** What the pod waits for. */
  readonly missing: MissingReference | undefined;
  readonly script: LifeScript | undefined;
}

const second = 1000;
const killed = 137;

/** Brings the containers of a pod to where they are at one time. It writes nothing. */
export class PodSync {
  readonly #pod: KubeObject;
  readonly #context: SyncContext;
  readonly #all: readonly PodContainer[];
  readonly #containers: { [name: string]: ContainerRuntime };
  readonly #events: RecordedEvent[] = [];
  #runtime: PodRuntime;
  #due: number | undefined;
  #isBrief = false;
  #missing: MissingReference | undefined;

  constructor(pod: KubeObject, runtime: PodRuntime, context: SyncContext) {
    this.#pod = pod;
    this.#context = context;
    this.#runtime = runtime;
    this.#all = containersOf(pod);
    this.#containers = { ...runtime.containers };
  }

  run(): SyncResult {
    const script = scriptOf(this.#context.scripts, this.#pod);
    this.#endByThemselves();
    this.#checkDeadlines(script);
    if (this.#pod.metadata.deletionTimestamp) this.#terminate();
    else if (this.#runtime.failure !== undefined) this.#kill(this.#all);
    else if (this.#hasSandbox()) this.#startContainers();
    const runtime = { ...this.#runtime, containers: this.#containers };
    const [events, due, isBrief, missing] = [this.#events, this.#due, this.#isBrief, this.#missing];
    return { runtime, events, due, isBrief, missing, script };
  }

  /** Ends what runs and has reached its end, unless it was asked to terminate. */
  #endByThemselves(): void {
    for (const container of this.#all) {
      const { running } = this.#of(container);
      const { exit } = this.#lifeOf(container);
      if (running === undefined || exit === undefined) continue;
      const at = running.startedAt + exit.after;
      if (at > this.#context.now) this.#wakeAt(at);
      else this.#end(container, exit.exitCode, exit.reason, Math.max(at, running.startedAt));
    }
  }

  #checkDeadlines(script: LifeScript | undefined): void {
    if (this.#runtime.failure !== undefined || this.#pod.metadata.deletionTimestamp) return;
    const { startedAt } = this.#runtime;
    const seconds = numberAt(this.#pod, "spec", "activeDeadlineSeconds");
    const message = "Pod was active on the node longer than the specified deadline";
    if (seconds > 0) this.#failAt(startedAt + seconds * second, "DeadlineExceeded", message, "Normal");
    const eviction = script?.life.eviction;
    if (eviction !== undefined) {
      this.#failAt(startedAt + eviction.after, "Evicted", eviction.message, "Warning");
    }
  }

  #failAt(time: number, reason: string, message: string, type: RecordedEvent["type"]): void {
    if (this.#runtime.failure !== undefined) return;
    if (time > this.#context.now) {
      this.#wakeAt(time);
      return;
    }
    this.#runtime = { ...this.#runtime, failure: { reason, message } };
    this.#events.push({ type, reason, message });
  }

  /** Asks all containers to terminate, and kills them when the grace period is over. */
  #terminate(): void {
    const { now } = this.#context;
    const since = this.#runtime.terminatingSince ?? now;
    const isNew = this.#runtime.terminatingSince === undefined;
    this.#runtime = { ...this.#runtime, terminatingSince: since };
    const deadline = since + (this.#pod.metadata.deletionGracePeriodSeconds ?? 0) * second;
    for (const container of this.#all) {
      if (this.#of(container).running === undefined) continue;
      if (isNew) this.#eventOf(container, "Normal", "Killing", `Stopping container ${container.name}`);
      const end = since + this.#terminationTime(container);
      if (Math.min(end, deadline) > now) this.#wakeAt(Math.min(end, deadline));
      else if (end <= deadline) this.#end(container, 0, "Completed", now);
      else this.#end(container, killed, "Error", now);
    }
  }

  /** How long a container goes on after it was asked to terminate. */
  #terminationTime(container: PodContainer): number {
    const sleep = objectAt(container.spec, "lifecycle", "preStop", "sleep");
    const hook = sleep === undefined ? 0 : numberAt(sleep, "seconds") * second;
    return hook + (this.#lifeOf(container).terminationTakes ?? 0);
  }

  #kill(containers: readonly PodContainer[]): void {
    for (const container of containers) {
      if (this.#of(container).running === undefined) continue;
      this.#eventOf(container, "Normal", "Killing", `Stopping container ${container.name}`);
      this.#end(container, killed, "Error", this.#context.now);
    }
  }

  /** Whether the volumes are there and the pod has an address. */
  #hasSandbox(): boolean {
    if (this.#runtime.address !== undefined) return true;
    const missing = missingVolume(this.#pod, this.#context.lister);
    if (missing !== undefined) {
      this.#missing = missing;
      this.#event("Warning", "FailedMount", missing.message);
      return false;
    }
    const address = this.#context.allocate();
    if (address === undefined) {
      this.#event("Warning", "FailedCreatePodSandBox", noAddress);
      this.#wakeAt(this.#context.now + 10 * second);
      return false;
    }
    this.#runtime = { ...this.#runtime, address };
    return true;
  }

  #startContainers(): void {
    for (const container of this.#all) {
      const isInitial = container.role === "init" || container.role === "sidecar";
      if (isInitial && !this.#isInitialized(container)) return;
      if (!isInitial) this.#advance(container);
    }
    if (this.#isOver()) this.#kill(this.#all.filter(({ role }) => role === "sidecar"));
  }

  /** Whether the containers after this one may start. */
  #isInitialized(container: PodContainer): boolean {
    this.#advance(container);
    const { running, ended } = this.#of(container);
    if (container.role === "init") return ended?.exitCode === 0;
    if (running === undefined) return false;
    const started = startedTime(container.spec, running.startedAt);
    if (started > this.#context.now) this.#wakeAt(started);
    return started <= this.#context.now;
  }

  /** Whether the pod's work is done for good. */
  #isOver(): boolean {
    const regular = this.#all.filter(({ role }) => role === "regular");
    return regular.every((container) => {
      const { ended } = this.#of(container);
      return ended !== undefined && !this.#mayRestart(container, ended);
    });
  }

  #mayRestart({ role, spec }: PodContainer, { exitCode }: EndedContainer): boolean {
    if (role === "ephemeral") return false;
    if (role === "sidecar") return true;
    const policy = textAt(this.#pod, "spec", "restartPolicy");
    if (role === "init") return exitCode !== 0 && policy !== "Never";
    const own = textAt(spec, "restartPolicy") || policy;
    return own === "Always" || (own === "OnFailure" && exitCode !== 0);
  }

  /** Starts a container that does not run, if it may; notes when it gets ready otherwise. */
  #advance(container: PodContainer): void {
    const { running, ended } = this.#of(container);
    if (running !== undefined) {
      this.#awaitReadiness(container, running.startedAt);
      return;
    }
    if (ended === undefined) {
      this.#start(container);
      return;
    }
    if (!this.#mayRestart(container, ended)) return;
    this.#restart(container, ended);
  }

  #awaitReadiness(container: PodContainer, startedAt: number): void {
    const { now } = this.#context;
    for (const time of [
      startedTime(container.spec, startedAt),
      readyTime(container.spec, this.#lifeOf(container), startedAt),
    ]) {
      if (time !== undefined && time > now) this.#wakeAt(time);
    }
  }

  #restart(container: PodContainer, ended: EndedContainer): void {
    const { now } = this.#context;
    const state = this.#of(container);
    const at = nextTry(state.backOff, ended.finishedAt);
    if (at <= now) {
      const { ended: _, ...rest } = state;
      const backOff = nextBackOff(state.backOff, ended.finishedAt, now);
      this.#set(container, { ...rest, last: ended, restarts: state.restarts + 1, backOff });
      this.#start(container);
      return;
    }
    this.#wakeAt(at);
    if (state.waiting?.reason === "CrashLoopBackOff") return;
    const { name: pod = "", namespace = "", uid = "" } = this.#pod.metadata;
    const delay = `${formatSeconds(state.backOff?.milliseconds ?? 0)}`;
    const inPod = `pod=${pod}_${namespace}(${uid})`;
    const message = `back-off ${delay} restarting failed container=${container.name} ${inPod}`;
    this.#set(container, { ...state, waiting: { reason: "CrashLoopBackOff", message } });
    const said = `Back-off restarting failed container ${container.name} in pod ${pod}_${namespace}(${uid})`;
    this.#eventOf(container, "Warning", "BackOff", said);
  }

  #start(container: PodContainer): void {
    if (!this.#hasImage(container) || !this.#hasEnvironment(container)) return;
    const { now, newId } = this.#context;
    const { waiting: _, ...state } = this.#of(container);
    this.#sayStarted(container);
    this.#set(container, { ...state, running: { startedAt: now, id: newId() } });
    const { exit } = this.#lifeOf(container);
    if (exit !== undefined && exit.after === 0) {
      this.#end(container, exit.exitCode, exit.reason, now);
      this.#advance(container);
      return;
    }
    if (exit !== undefined) this.#wakeAt(now + exit.after);
    if (this.#lifeOf(container).readyAfter === false && container.spec["readinessProbe"] !== undefined) {
      this.#eventOf(container, "Warning", "Unhealthy", "Readiness probe failed: ");
    }
    this.#awaitReadiness(container, now);
  }

  /** Upstream: `startContainer` (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
  #sayStarted(container: PodContainer): void {
    const { since } = this.#context.gates;
    const { name } = container;
    const created = since("1.32") ? `Created container: ${name}` : `Created container ${name}`;
    this.#eventOf(container, "Normal", "Created", since("1.35") ? "Container created" : created);
    const started = since("1.35") ? "Container started" : `Started container ${name}`;
    this.#eventOf(container, "Normal", "Started", started);
  }

  #hasImage(container: PodContainer): boolean {
    const pull = pullEvents(container.spec, this.#of(container), this.#lifeOf(container), this.#context);
    for (const { type, reason, message } of pull.events) this.#eventOf(container, type, reason, message);
    this.#set(container, pull.state);
    if (pull.due !== undefined) this.#wakeAt(pull.due);
    if (pull.isBrief) this.#isBrief = true;
    return pull.isThere;
  }

  #hasEnvironment(container: PodContainer): boolean {
    const missing = missingEnvironment(this.#pod, container.spec, this.#context.lister);
    if (missing === undefined) return true;
    this.#missing = missing;
    const state = this.#of(container);
    const waiting = { reason: "CreateContainerConfigError", message: missing.message };
    if (state.waiting?.message !== missing.message) {
      this.#eventOf(container, "Warning", "Failed", `Error: ${missing.message}`);
    }
    this.#set(container, { ...state, waiting });
    return false;
  }

  #end(container: PodContainer, exitCode: number, reason: string, finishedAt: number): void {
    const { running, ...state } = this.#of(container);
    if (running === undefined) return;
    const { startedAt, id } = running;
    this.#set(container, { ...state, ended: { exitCode, reason, startedAt, finishedAt, id } });
  }

  #of({ name }: PodContainer): ContainerRuntime {
    return this.#containers[name] ?? newContainer;
  }

  #set({ name }: PodContainer, state: ContainerRuntime): void {
    this.#containers[name] = state;
  }

  #lifeOf({ spec, role }: PodContainer): ContainerLife {
    return lifeOf(this.#context.scripts, this.#pod, spec, role);
  }

  #wakeAt(time: number): void {
    if (this.#due === undefined || time < this.#due) this.#due = time;
  }

  #event(type: RecordedEvent["type"], reason: string, message: string): void {
    this.#events.push({ type, reason, message });
  }

  #eventOf({ name, role }: PodContainer, type: RecordedEvent["type"], reason: string, message: string): void {
    this.#events.push({ type, reason, message, fieldPath: `spec.${fieldOf[role]}{${name}}` });
  }
}

const fieldOf = {
  init: "initContainers",
  sidecar: "initContainers",
  regular: "containers",
  ephemeral: "ephemeralContainers",
} as const;

const noAddress =
  "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox: no IP addresses available in range set";

/** As Go prints such durations: `10s`, `1m20s`, `5m0s`. */
function formatSeconds(milliseconds: number): string {
  const seconds = Math.round(milliseconds / second);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
