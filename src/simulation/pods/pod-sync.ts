import { objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type LifeScript, scriptOf } from "../contract/scripted-life.ts";
import { nextBackOff, nextTry } from "./back-off.ts";
import { changeMessage, hasOtherImage } from "./changed-image.ts";
import { subPathProblem } from "./container-environment.ts";
import { backOffMessages, failedProbeMessage, noAddress, startEvents } from "./container-messages.ts";
import {
  failureMessage,
  failuresUntil,
  isPast,
  type ProbeFailures,
  probedTimes,
  probeFailures,
  probeGrace,
  probeTitle,
  startedTime,
} from "./container-probes.ts";
import { ContainerStates } from "./container-states.ts";
import { userProblem } from "./container-user.ts";
import { pullEvents } from "./image-pull.ts";
import { missingEnvironment, missingVolumes } from "./missing-references.ts";
import { graceOf, plannedFailures } from "./pod-failures.ts";
import { isResizing, needsRestart, resizeMessage, wantsResize } from "./pod-resize.ts";
import { type EndedContainer, isNew, type PodContainer, type PodRuntime } from "./pod-runtime.ts";
import { missingPullSecrets, pullSecretsMessage } from "./pull-secrets.ts";
import { decideResize, endResize, type ResizedPod } from "./resize-progress.ts";
import { relistPeriod, removedContainer, resetContainers, resetMessage, restartsAll } from "./restart-all.ts";
import { mayRestart } from "./restart-policy.ts";
import type { SyncContext } from "./sync-context.ts";
import { SyncOutcome, type SyncResult } from "./sync-outcome.ts";

const second = 1000;

/** Brings the containers of a pod to where they are at one time. It writes nothing. */
export class PodSync {
  readonly #pod: KubeObject;
  readonly #context: SyncContext;
  readonly #outcome = new SyncOutcome();
  readonly #containers: ContainerStates;
  #runtime: PodRuntime;

  constructor(pod: KubeObject, runtime: PodRuntime, context: SyncContext) {
    this.#pod = pod;
    this.#context = context;
    this.#runtime = runtime;
    this.#containers = new ContainerStates(pod, runtime, context, this.#outcome);
  }

  run(): SyncResult {
    const script = scriptOf(this.#context.scripts, this.#pod);
    this.#endByThemselves();
    this.#checkDeadlines(script);
    if (this.#pod.metadata.deletionTimestamp) this.#terminate();
    else if (this.#runtime.failure !== undefined) this.#stopRest(this.#runtime.failure.grace);
    else if (this.#runtime.stoppingSince !== undefined) this.#stopRest(graceOf(this.#pod));
    else if (this.#hasSandbox() && !this.#restartAll()) {
      this.#resize();
      this.#startContainers();
      this.#endResize();
    }
    return {
      runtime: { ...this.#runtime, containers: this.#containers.current },
      outcome: this.#outcome,
      script,
    };
  }

  /** Ends what runs and has reached its end, unless it was asked to terminate. */
  #endByThemselves(): void {
    for (const container of this.#containers.all) {
      const { running, stop } = this.#containers.of(container);
      if (running !== undefined && stop !== undefined) this.#containers.stopAt(container, stop);
      const { exit } = this.#containers.lifeOf(container);
      if (this.#containers.of(container).running === undefined || running === undefined || exit === undefined)
        continue;
      const at = running.startedAt + exit.after;
      if (at > this.#context.now) this.#outcome.wakeAt(at);
      else this.#containers.end(container, exit.exitCode, exit.reason, Math.max(at, running.startedAt));
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

  /**
   * Asks all containers to terminate, and kills them when the grace period is over. With a shorter one, that begins again. Upstream: `UpdatePod`
   * (pkg/kubelet/pod_workers.go).
   */
  #terminate(): void {
    const { terminatingSince, terminationGrace = Number.POSITIVE_INFINITY } = this.#runtime;
    const grace = (this.#pod.metadata.deletionGracePeriodSeconds ?? 0) * second;
    const isAsked = terminatingSince !== undefined && grace >= terminationGrace;
    const since = isAsked ? terminatingSince : this.#context.now;
    if (!isAsked) this.#containers.sayStopping(this.#containers.all);
    this.#runtime = { ...this.#runtime, terminatingSince: since, terminationGrace: grace };
    this.#containers.stop(this.#containers.all, since, grace);
    this.#probeReadiness();
  }

  /** Asks what still runs to stop, because the pod has failed or its work is done. */
  #stopRest(grace: number): void {
    const since = this.#runtime.stoppingSince ?? this.#context.now;
    if (this.#runtime.stoppingSince === undefined) this.#containers.sayStopping(this.#containers.all);
    this.#runtime = { ...this.#runtime, stoppingSince: since };
    this.#containers.stop(this.#containers.all, since, grace);
    this.#probeReadiness();
  }

  /** The probes of readiness go on while containers terminate; others do not (`StopLivenessAndStartup`, pkg/kubelet/prober/prober_manager.go). */
  #probeReadiness(): void {
    for (const container of this.#containers.all) {
      const { running } = this.#containers.of(container);
      if (running === undefined) continue;
      this.#awaitReadiness(container, running.startedAt);
      if (this.#containers.lifeOf(container).failingProbe?.probe === "readiness")
        this.#endsByProbe(container, running.startedAt);
    }
  }

  /** Whether the volumes are there and the pod has an address. */
  #hasSandbox(): boolean {
    if (this.#runtime.address !== undefined) return true;
    const missing = missingVolumes(this.#pod, this.#context.lister);
    if (missing.length > 0) {
      this.#outcome.missing = missing[0];
      for (const { message } of missing) this.#outcome.say("Warning", "FailedMount", message);
      return false;
    }
    const address = this.#context.allocate();
    if (address === undefined) {
      this.#outcome.say("Warning", "FailedCreatePodSandBox", noAddress);
      this.#outcome.wakeAt(this.#context.now + 10 * second);
      return false;
    }
    this.#runtime = { ...this.#runtime, address };
    const secrets = missingPullSecrets(this.#pod, this.#context.lister);
    if (secrets.length > 0 && this.#context.gates.since("1.28"))
      this.#outcome.say("Warning", "FailedToRetrieveImagePullSecret", pullSecretsMessage(secrets));
    return true;
  }

  /** Gives containers the resources that they request now, if the node has them. */
  #resize(): void {
    if (!this.#context.gates.isEnabled("InPlacePodVerticalScaling")) return;
    const wanting = this.#containers.all.filter((container) =>
      wantsResize(container, this.#containers.of(container)),
    );
    const { runtime, granted } = decideResize(this.#resized(), wanting);
    this.#runtime = runtime;
    for (const container of granted) {
      const state = this.#containers.of(container);
      if (needsRestart(container, state))
        this.#containers.kill(container, resizeMessage(container), graceOf(this.#pod));
      else this.#containers.set(container, { ...state, resources: structAt(container.spec, "resources") });
    }
  }

  #endResize(): void {
    const isGoingOn = this.#containers.all.some((container) =>
      isResizing(container, this.#containers.of(container)),
    );
    if (!isGoingOn) this.#runtime = endResize(this.#resized());
  }

  #resized(): ResizedPod {
    return { pod: this.#pod, runtime: this.#runtime, context: this.#context, outcome: this.#outcome };
  }

  /** Removes all containers if one has ended in a way for which they restart. Returns whether that goes on. */
  #restartAll(): boolean {
    const { now, gates } = this.#context;
    const { restartingSince: since, ...runtime } = this.#runtime;
    if (since === undefined) {
      if (!this.#containers.all.some((container) => restartsAll(container, this.#containers.of(container))))
        return false;
      this.#runtime = { ...runtime, restartingSince: now };
      this.#outcome.isBrief = true;
      return true;
    }
    if (since + relistPeriod > now) {
      this.#outcome.wakeAt(since + relistPeriod);
      return true;
    }
    const containers = resetContainers(this.#containers.all);
    // One ends after the other, before the kubelet looks at the pod again.
    for (const container of containers) {
      const { running, stop } = this.#containers.of(container);
      if (running === undefined || (stop === undefined && this.#containers.kill(container, resetMessage, 0)))
        continue;
      this.#outcome.isReported = false;
      return true;
    }
    for (const container of containers)
      this.#containers.set(container, removedContainer(this.#containers.of(container), gates));
    this.#runtime = runtime;
    this.#outcome.isBrief = true;
    return true;
  }

  /** Ephemeral containers wait for no others. Upstream: `SyncPod` (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
  #startContainers(): void {
    for (const container of this.#containers.ofRoles("ephemeral")) this.#advance(container);
    if (this.#initialize())
      for (const container of this.#containers.ofRoles("regular")) this.#advance(container);
    if (this.#isOver()) this.#stopRest(graceOf(this.#pod));
  }

  /** Starts the init containers and sidecars that may start. Returns whether the regular containers may. */
  #initialize(): boolean {
    // Once regular containers have started, they do not wait for sidecars any more.
    const hasStarted = this.#containers.ofRoles("regular").some((container) => {
      const state = this.#containers.of(container);
      return !isNew(state) && !state.isRemoved;
    });
    const initial = this.#containers.ofRoles("init", "sidecar");
    return initial.every((container) => this.#isInitialized(container) || hasStarted);
  }

  /** Whether the containers after this one may start. */
  #isInitialized(container: PodContainer): boolean {
    this.#advance(container);
    const { running, ended } = this.#containers.of(container);
    if (container.role === "init") return ended?.exitCode === 0;
    if (running === undefined) return false;
    const started = startedTime(container.spec, this.#containers.lifeOf(container), running.startedAt);
    if (started !== undefined && started > this.#context.now) this.#outcome.wakeAt(started);
    return isPast(started, this.#context.now);
  }

  /** Whether the pod's work is done for good, or cannot begin because an init container has failed. */
  #isOver(): boolean {
    const finalEnd = (container: PodContainer) => {
      const { ended } = this.#containers.of(container);
      return ended === undefined || mayRestart(this.#pod, container, ended) ? undefined : ended;
    };
    const hasFailed = (container: PodContainer) => (finalEnd(container)?.exitCode ?? 0) !== 0;
    return (
      this.#containers.ofRoles("init").some(hasFailed) ||
      this.#containers.ofRoles("regular").every((container) => finalEnd(container) !== undefined)
    );
  }

  /** Starts a container that does not run, if it may; notes when it gets ready otherwise. */
  #advance(container: PodContainer): void {
    const { running, ended } = this.#containers.of(container);
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
    if (restartsAll(container, this.#containers.of(container))) this.#outcome.isBrief = true;
    else if (mayRestart(this.#pod, container, ended)) this.#restart(container, ended);
  }

  #awaitReadiness(container: PodContainer, startedAt: number): void {
    const times = probedTimes(container.spec, this.#containers.lifeOf(container), startedAt);
    for (const time of times.filter((next) => next > this.#context.now)) this.#outcome.wakeAt(time);
  }

  /** Reports the failures of a probe up to now. Returns whether the last one has ended the container. */
  #endsByProbe(container: PodContainer, startedAt: number): boolean {
    const { now } = this.#context;
    const state = this.#containers.of(container);
    const failures = probeFailures(container.spec, this.#containers.lifeOf(container), startedAt);
    if (failures === undefined || container.role === "ephemeral" || state.stop !== undefined) return false;
    const { probe, first, period, count, message } = failures;
    const happened = failuresUntil(failures, now);
    for (let i = state.probeFailures ?? 0; i < happened; i++) this.#sayUnhealthy(container, probe, message);
    this.#containers.set(container, { ...state, probeFailures: happened });
    if (happened < count) this.#outcome.wakeAt(first + happened * period);
    if (happened < count || probe === "readiness") return false;
    const policy = textAt(this.#pod, "spec", "restartPolicy");
    const said = failedProbeMessage(container, probe, policy);
    return this.#containers.kill(container, said, probeGrace(container.spec, probe, this.#pod));
  }

  #sayUnhealthy(container: PodContainer, probe: ProbeFailures["probe"], message: string | undefined): void {
    const said = message ?? failureMessage(container.spec, probe, this.#runtime.address);
    this.#outcome.sayOf(container, "Warning", "Unhealthy", `${probeTitle(probe)} probe failed: ${said}`);
  }

  #endsByChange(container: PodContainer): boolean {
    const state = this.#containers.of(container);
    if (state.stop !== undefined || !hasOtherImage(container, state)) return false;
    return this.#containers.kill(container, changeMessage(container), graceOf(this.#pod));
  }

  #restart(container: PodContainer, ended: EndedContainer): void {
    const { now } = this.#context;
    const state = this.#containers.of(container);
    const backOff = hasOtherImage(container, state) ? undefined : state.backOff;
    const at = nextTry(backOff, ended.finishedAt);
    if (at <= now) {
      const { ended: _, ...rest } = state;
      const next = nextBackOff(backOff, ended.finishedAt, now);
      this.#containers.set(container, { ...rest, last: ended, restarts: state.restarts + 1, backOff: next });
      this.#start(container);
      return;
    }
    this.#outcome.wakeAt(at);
    if (state.waiting?.reason === "CrashLoopBackOff") return;
    const { message, said } = backOffMessages(this.#pod, container.name, state.backOff?.milliseconds ?? 0);
    this.#containers.set(container, { ...state, waiting: { reason: "CrashLoopBackOff", message } });
    this.#outcome.sayOf(container, "Warning", "BackOff", said);
  }

  #start(container: PodContainer): void {
    const problem = this.#configurationProblem(container);
    const isKnown = problem !== undefined && this.#containers.of(container).waiting?.message === problem;
    if (isKnown || !this.#hasImage(container)) return;
    if (problem !== undefined) {
      this.#outcome.sayOf(container, "Warning", "Failed", `Error: ${problem}`);
      const waiting = { reason: "CreateContainerConfigError", message: problem };
      this.#containers.set(container, { ...this.#containers.of(container), waiting });
      return;
    }
    const { now, newId } = this.#context;
    const { waiting: _, isRemoved: __, ...state } = this.#containers.of(container);
    for (const { reason, message } of startEvents(container.name, this.#context.gates))
      this.#outcome.sayOf(container, "Normal", reason, message);
    const resources = structAt(container.spec, "resources");
    const running = { startedAt: now, id: newId() };
    this.#containers.set(container, { ...state, image: textAt(container.spec, "image"), resources, running });
    const { exit } = this.#containers.lifeOf(container);
    if (exit !== undefined && exit.after === 0) {
      this.#containers.end(container, exit.exitCode, exit.reason, now);
      this.#advance(container);
      return;
    }
    if (exit !== undefined) this.#outcome.wakeAt(now + exit.after);
    if (this.#containers.lifeOf(container).readyAfter === false && objectAt(container.spec, "readinessProbe"))
      this.#sayUnhealthy(container, "readiness", undefined);
    this.#awaitReadiness(container, now);
    if (this.#endsByProbe(container, now)) this.#advance(container);
  }

  #hasImage(container: PodContainer): boolean {
    const image = textAt(container.spec, "image");
    const backOffs = this.#runtime.pullBackOffs ?? {};
    const backOff = Object.hasOwn(backOffs, image) ? backOffs[image] : undefined;
    const [state, life] = [this.#containers.of(container), this.#containers.lifeOf(container)];
    const pull = pullEvents(container.spec, state, life, { ...this.#context, backOff });
    if (pull.backOff !== undefined)
      this.#runtime = { ...this.#runtime, pullBackOffs: { ...backOffs, [image]: pull.backOff } };
    for (const { type, reason, message } of pull.events)
      this.#outcome.sayOf(container, type, reason, message);
    this.#containers.set(container, pull.state);
    if (pull.due !== undefined) this.#outcome.wakeAt(pull.due);
    if (pull.isBrief) this.#outcome.isBrief = true;
    return pull.isThere;
  }

  /** Why a container cannot be created; undefined if it can. */
  #configurationProblem({ spec }: PodContainer): string | undefined {
    const missing = missingEnvironment(this.#pod, spec, this.#context.lister);
    this.#outcome.missing = missing ?? this.#outcome.missing;
    if (missing !== undefined) return missing.message;
    const path = subPathProblem(this.#pod, spec, this.#context.lister, this.#runtime.address);
    return path ?? userProblem(this.#pod, spec);
  }
}
