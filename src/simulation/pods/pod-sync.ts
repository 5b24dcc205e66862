import { objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type ContainerLife, type LifeScript, lifeOf, scriptOf } from "../contract/scripted-life.ts";
import { nextBackOff, nextTry } from "./back-off.ts";
import { changeMessage, hasOtherImage } from "./changed-image.ts";
import { backOffMessages, failedProbeMessage, noAddress, startEvents } from "./container-messages.ts";
import {
  failureMessage,
  failuresUntil,
  isPast,
  type ProbeFailures,
  probeFailures,
  probeGrace,
  probeTitle,
  readyTime,
  startedTime,
} from "./container-probes.ts";
import { userProblem } from "./container-user.ts";
import { pullEvents } from "./image-pull.ts";
import { missingEnvironment, missingVolume } from "./missing-references.ts";
import { graceOf, plannedFailures } from "./pod-failures.ts";
import { needsRestart, resizeMessage, resizeProblem, wantsResize } from "./pod-resize.ts";
import {
  type ContainerRuntime,
  containersOf,
  type EndedContainer,
  isNew,
  type PodContainer,
  type PodRuntime,
  runtimeOf,
} from "./pod-runtime.ts";
import { relistPeriod, removedContainer, resetContainers, resetMessage, restartsAll } from "./restart-all.ts";
import { mayRestart } from "./restart-policy.ts";
import type { SyncContext } from "./sync-context.ts";
import { SyncOutcome, type SyncResult } from "./sync-outcome.ts";
import { stopsOf } from "./termination.ts";

const second = 1000;
const killed = 137;
/** How often a resize is tried again that the node had no room for. */
const resizeRetry = 180 * second;

/** Brings the containers of a pod to where they are at one time. It writes nothing. */
export class PodSync {
  readonly #pod: KubeObject;
  readonly #context: SyncContext;
  readonly #all: readonly PodContainer[];
  readonly #containers: { [name: string]: ContainerRuntime };
  readonly #outcome = new SyncOutcome();
  #runtime: PodRuntime;

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
    else if (this.#runtime.failure !== undefined) this.#stopRest(this.#all, this.#runtime.failure.grace);
    else if (this.#hasSandbox() && !this.#restartAll()) {
      this.#resize();
      this.#startContainers();
    }
    return { runtime: { ...this.#runtime, containers: this.#containers }, outcome: this.#outcome, script };
  }

  /** Ends what runs and has reached its end, unless it was asked to terminate. */
  #endByThemselves(): void {
    for (const container of this.#all) {
      const { running, stop } = this.#of(container);
      if (running !== undefined && stop !== undefined) this.#stopAt(container, stop);
      const { exit } = this.#lifeOf(container);
      if (this.#of(container).running === undefined || running === undefined || exit === undefined) continue;
      const at = running.startedAt + exit.after;
      if (at > this.#context.now) this.#outcome.wakeAt(at);
      else this.#end(container, exit.exitCode, exit.reason, Math.max(at, running.startedAt));
    }
  }

  #checkDeadlines(script: LifeScript | undefined): void {
    if (this.#pod.metadata.deletionTimestamp) return;
    for (const { at, failure, type } of plannedFailures(this.#pod, this.#runtime.startedAt, script)) {
      if (this.#runtime.failure !== undefined) return;
      if (at > this.#context.now) this.#outcome.wakeAt(at);
      else {
        this.#runtime = { ...this.#runtime, failure };
        this.#outcome.say(type, failure.reason, failure.message);
      }
    }
  }

  /** Asks all containers to terminate, and kills them when the grace period is over. */
  #terminate(): void {
    const { now } = this.#context;
    const since = this.#runtime.terminatingSince ?? now;
    if (this.#runtime.terminatingSince === undefined) this.#sayStopping(this.#all);
    this.#runtime = { ...this.#runtime, terminatingSince: since };
    const grace = (this.#pod.metadata.deletionGracePeriodSeconds ?? 0) * second;
    this.#stop(this.#all, since, grace);
  }

  /** Asks what still runs to stop, because the pod has failed or its work is done. */
  #stopRest(containers: readonly PodContainer[], grace: number): void {
    const since = this.#runtime.stoppingSince ?? this.#context.now;
    if (this.#runtime.stoppingSince === undefined) this.#sayStopping(containers);
    this.#runtime = { ...this.#runtime, stoppingSince: since };
    this.#stop(containers, since, grace);
  }

  #sayStopping(containers: readonly PodContainer[]): void {
    for (const container of containers) {
      if (this.#of(container).running === undefined) continue;
      this.#outcome.sayOf(container, "Normal", "Killing", `Stopping container ${container.name}`);
    }
  }

  #stop(containers: readonly PodContainer[], since: number, grace: number): void {
    const stopping = containers.map((container) => ({
      container,
      state: this.#of(container),
      life: this.#lifeOf(container),
    }));
    for (const stop of stopsOf(stopping, since, grace)) this.#stopAt(stop.container, stop);
  }

  #stopAt(
    container: PodContainer,
    { at, isKilled }: { readonly at: number; readonly isKilled: boolean },
  ): void {
    if (at > this.#context.now) this.#outcome.wakeAt(at);
    else if (isKilled) this.#end(container, killed, "Error", at);
    else this.#end(container, 0, "Completed", at);
  }

  /** Whether the volumes are there and the pod has an address. */
  #hasSandbox(): boolean {
    if (this.#runtime.address !== undefined) return true;
    const missing = missingVolume(this.#pod, this.#context.lister);
    if (missing !== undefined) {
      this.#outcome.missing = missing;
      this.#outcome.say("Warning", "FailedMount", missing.message);
      return false;
    }
    const address = this.#context.allocate();
    if (address === undefined) {
      this.#outcome.say("Warning", "FailedCreatePodSandBox", noAddress);
      this.#outcome.wakeAt(this.#context.now + 10 * second);
      return false;
    }
    this.#runtime = { ...this.#runtime, address };
    return true;
  }

  /** Gives containers the resources that they request now, if the node has them. */
  #resize(): void {
    const { gates, node, lister, now } = this.#context;
    if (!gates.isEnabled("InPlacePodVerticalScaling")) return;
    const { pendingResize: _, ...runtime } = this.#runtime;
    const wanting = this.#all.filter((container) => wantsResize(container, this.#of(container)));
    if (wanting.length === 0) {
      this.#runtime = runtime;
      return;
    }
    const pendingResize = gates.since("1.33") ? resizeProblem(this.#pod, node, lister) : undefined;
    this.#runtime = { ...runtime, ...(pendingResize !== undefined && { pendingResize }) };
    if (pendingResize?.reason === "Deferred") this.#outcome.wakeAt(now + resizeRetry);
    if (pendingResize !== undefined) return;
    for (const container of wanting) {
      const state = this.#of(container);
      if (needsRestart(container, state)) this.#kill(container, resizeMessage(container), graceOf(this.#pod));
      else this.#set(container, { ...state, resources: structAt(container.spec, "resources") });
    }
  }

  /** Removes all containers if one has ended in a way for which they restart. Returns whether that goes on. */
  #restartAll(): boolean {
    const { now, gates } = this.#context;
    const { restartingSince: since, ...runtime } = this.#runtime;
    if (since === undefined) {
      if (!this.#all.some((container) => restartsAll(container, this.#of(container)))) return false;
      this.#runtime = { ...runtime, restartingSince: now };
      this.#outcome.isBrief = true;
      return true;
    }
    if (since + relistPeriod > now) {
      this.#outcome.wakeAt(since + relistPeriod);
      return true;
    }
    const containers = resetContainers(this.#all);
    // One ends after the other, before the kubelet looks at the pod again.
    for (const container of containers) {
      const { running, stop } = this.#of(container);
      if (running === undefined || (stop === undefined && this.#kill(container, resetMessage, 0))) continue;
      this.#outcome.isReported = false;
      return true;
    }
    for (const container of containers) this.#set(container, removedContainer(this.#of(container), gates));
    this.#runtime = runtime;
    this.#outcome.isBrief = true;
    return true;
  }

  #startContainers(): void {
    // Once regular containers have started, they do not wait for sidecars any more.
    const hasStarted = this.#all.some((container) => {
      const state = this.#of(container);
      return container.role === "regular" && !isNew(state) && !state.isRemoved;
    });
    for (const container of this.#all) {
      const isInitial = container.role === "init" || container.role === "sidecar";
      if (isInitial && !this.#isInitialized(container) && !hasStarted) return;
      if (!isInitial) this.#advance(container);
    }
    if (this.#isOver()) this.#stopRest(this.#all, graceOf(this.#pod));
  }

  /** Whether the containers after this one may start. */
  #isInitialized(container: PodContainer): boolean {
    this.#advance(container);
    const { running, ended } = this.#of(container);
    if (container.role === "init") return ended?.exitCode === 0;
    if (running === undefined) return false;
    const started = startedTime(container.spec, this.#lifeOf(container), running.startedAt);
    if (started !== undefined && started > this.#context.now) this.#outcome.wakeAt(started);
    return isPast(started, this.#context.now);
  }

  /** Whether the pod's work is done for good. */
  #isOver(): boolean {
    const regular = this.#all.filter(({ role }) => role === "regular");
    return regular.every((container) => {
      const { ended } = this.#of(container);
      return ended !== undefined && !mayRestart(this.#pod, container, ended);
    });
  }

  /** Starts a container that does not run, if it may; notes when it gets ready otherwise. */
  #advance(container: PodContainer): void {
    const { running, ended } = this.#of(container);
    if (running !== undefined) {
      this.#awaitReadiness(container, running.startedAt);
      const isEnded = this.#endsByChange(container) || this.#endsByProbe(container, running.startedAt);
      if (isEnded) this.#advance(container);
      return;
    }
    if (ended === undefined) {
      this.#start(container);
      return;
    }
    if (restartsAll(container, this.#of(container))) this.#outcome.isBrief = true;
    else if (mayRestart(this.#pod, container, ended)) this.#restart(container, ended);
  }

  #awaitReadiness(container: PodContainer, startedAt: number): void {
    const { now } = this.#context;
    const life = this.#lifeOf(container);
    for (const time of [
      startedTime(container.spec, life, startedAt),
      readyTime(container.spec, life, startedAt),
    ]) {
      if (time !== undefined && time > now) this.#outcome.wakeAt(time);
    }
  }

  /** Reports the failures of a probe up to now. Returns whether the last one has ended the container. */
  #endsByProbe(container: PodContainer, startedAt: number): boolean {
    const { now } = this.#context;
    const state = this.#of(container);
    const failures = probeFailures(container.spec, this.#lifeOf(container), startedAt);
    if (failures === undefined || container.role === "ephemeral" || state.stop !== undefined) return false;
    const { probe, first, period, count, message } = failures;
    const happened = failuresUntil(failures, now);
    for (let i = state.probeFailures ?? 0; i < happened; i++) this.#sayUnhealthy(container, probe, message);
    this.#set(container, { ...state, probeFailures: happened });
    if (happened < count) this.#outcome.wakeAt(first + happened * period);
    if (happened < count || probe === "readiness") return false;
    const policy = textAt(this.#pod, "spec", "restartPolicy");
    const said = failedProbeMessage(container, probe, policy);
    return this.#kill(container, said, probeGrace(container.spec, probe, this.#pod));
  }

  #sayUnhealthy(container: PodContainer, probe: ProbeFailures["probe"], message: string | undefined): void {
    const said = message ?? failureMessage(container.spec, probe, this.#runtime.address);
    this.#outcome.sayOf(container, "Warning", "Unhealthy", `${probeTitle(probe)} probe failed: ${said}`);
  }

  #endsByChange(container: PodContainer): boolean {
    const state = this.#of(container);
    if (state.stop !== undefined || !hasOtherImage(container, state)) return false;
    return this.#kill(container, changeMessage(container), graceOf(this.#pod));
  }

  /** Asks a container to stop and says why. Returns whether it has stopped. */
  #kill(container: PodContainer, message: string, grace: number): boolean {
    this.#outcome.sayOf(container, "Normal", "Killing", message);
    const [state, life] = [this.#of(container), this.#lifeOf(container)];
    const [stop] = stopsOf([{ container, state, life }], this.#context.now, grace);
    if (stop === undefined) return false;
    this.#set(container, { ...state, stop: { ...stop, isReplaced: hasOtherImage(container, state) } });
    this.#stopAt(container, stop);
    return stop.at <= this.#context.now;
  }

  #restart(container: PodContainer, ended: EndedContainer): void {
    const { now } = this.#context;
    const state = this.#of(container);
    const backOff = hasOtherImage(container, state) ? undefined : state.backOff;
    const at = nextTry(backOff, ended.finishedAt);
    if (at <= now) {
      const { ended: _, ...rest } = state;
      const next = nextBackOff(backOff, ended.finishedAt, now);
      this.#set(container, { ...rest, last: ended, restarts: state.restarts + 1, backOff: next });
      this.#start(container);
      return;
    }
    this.#outcome.wakeAt(at);
    if (state.waiting?.reason === "CrashLoopBackOff") return;
    const { message, said } = backOffMessages(this.#pod, container.name, state.backOff?.milliseconds ?? 0);
    this.#set(container, { ...state, waiting: { reason: "CrashLoopBackOff", message } });
    this.#outcome.sayOf(container, "Warning", "BackOff", said);
  }

  #start(container: PodContainer): void {
    const problem = this.#configurationProblem(container);
    const isKnown = problem !== undefined && this.#of(container).waiting?.message === problem;
    if (isKnown || !this.#hasImage(container)) return;
    if (problem !== undefined) {
      this.#outcome.sayOf(container, "Warning", "Failed", `Error: ${problem}`);
      const waiting = { reason: "CreateContainerConfigError", message: problem };
      this.#set(container, { ...this.#of(container), waiting });
      return;
    }
    const { now, newId } = this.#context;
    const { waiting: _, isRemoved: __, ...state } = this.#of(container);
    for (const { reason, message } of startEvents(container.name, this.#context.gates))
      this.#outcome.sayOf(container, "Normal", reason, message);
    const resources = structAt(container.spec, "resources");
    const running = { startedAt: now, id: newId() };
    this.#set(container, { ...state, image: textAt(container.spec, "image"), resources, running });
    const { exit } = this.#lifeOf(container);
    if (exit !== undefined && exit.after === 0) {
      this.#end(container, exit.exitCode, exit.reason, now);
      this.#advance(container);
      return;
    }
    if (exit !== undefined) this.#outcome.wakeAt(now + exit.after);
    if (this.#lifeOf(container).readyAfter === false && objectAt(container.spec, "readinessProbe"))
      this.#sayUnhealthy(container, "readiness", undefined);
    this.#awaitReadiness(container, now);
    if (this.#endsByProbe(container, now)) this.#advance(container);
  }

  #hasImage(container: PodContainer): boolean {
    const pull = pullEvents(container.spec, this.#of(container), this.#lifeOf(container), this.#context);
    for (const { type, reason, message } of pull.events)
      this.#outcome.sayOf(container, type, reason, message);
    this.#set(container, pull.state);
    if (pull.due !== undefined) this.#outcome.wakeAt(pull.due);
    if (pull.isBrief) this.#outcome.isBrief = true;
    return pull.isThere;
  }

  /** Why a container cannot be created; undefined if it can. */
  #configurationProblem({ spec }: PodContainer): string | undefined {
    const missing = missingEnvironment(this.#pod, spec, this.#context.lister);
    this.#outcome.missing = missing ?? this.#outcome.missing;
    return missing?.message ?? userProblem(this.#pod, spec);
  }

  #end(container: PodContainer, exitCode: number, reason: string, finishedAt: number): void {
    const { running, stop, probeFailures: _, ...state } = this.#of(container);
    if (running === undefined) return;
    const { startedAt, id } = running;
    const why = stop !== undefined && { isUnhealthy: true, isReplaced: stop.isReplaced };
    const ended = { exitCode, reason, startedAt, finishedAt, id, ...why };
    this.#set(container, { ...state, ended });
  }

  #of({ name }: PodContainer): ContainerRuntime {
    return runtimeOf(this.#containers, name);
  }

  #set({ name }: PodContainer, state: ContainerRuntime): void {
    this.#containers[name] = state;
  }

  #lifeOf(container: PodContainer): ContainerLife {
    const { spec, role } = container;
    const { restarts, running } = this.#of(container);
    const run = running && { restarts, startedAt: running.startedAt };
    return lifeOf(this.#context.scripts, this.#pod, spec, role, run);
  }
}
