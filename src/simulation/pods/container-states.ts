import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type ContainerLife, type ContainerRole, lifeOf } from "../contract/scripted-life.ts";
import { hasOtherImage } from "./changed-image.ts";
import { stoppingEvent } from "./container-messages.ts";
import {
  type ContainerRuntime,
  containersOf,
  type PodContainer,
  type PodRuntime,
  runtimeOf,
} from "./pod-runtime.ts";
import type { SyncContext } from "./sync-context.ts";
import type { SyncOutcome } from "./sync-outcome.ts";
import { type ContainerStop, stopsOf } from "./termination.ts";

const killed = 137;

/** The containers of a pod during a sync, and how they end. */
export class ContainerStates {
  readonly all: readonly PodContainer[];
  readonly #pod: KubeObject;
  readonly #context: SyncContext;
  readonly #outcome: SyncOutcome;
  readonly #states: { [name: string]: ContainerRuntime };

  constructor(pod: KubeObject, { containers }: PodRuntime, context: SyncContext, outcome: SyncOutcome) {
    this.all = containersOf(pod);
    this.#pod = pod;
    this.#context = context;
    this.#outcome = outcome;
    this.#states = { ...containers };
  }

  /** The states by the names of the containers. */
  get current(): PodRuntime["containers"] {
    return this.#states;
  }

  /** The containers that have one of these parts, in their order. */
  ofRoles(...roles: readonly ContainerRole[]): readonly PodContainer[] {
    return this.all.filter(({ role }) => roles.includes(role));
  }

  of({ name }: PodContainer): ContainerRuntime {
    return runtimeOf(this.#states, name);
  }

  set({ name }: PodContainer, state: ContainerRuntime): void {
    this.#states[name] = state;
  }

  lifeOf(container: PodContainer): ContainerLife {
    const { spec, role } = container;
    const { restarts, running } = this.of(container);
    const run = running && { restarts, startedAt: running.startedAt };
    return lifeOf(this.#context.scripts, this.#pod, spec, role, run);
  }

  end(container: PodContainer, exitCode: number, reason: string, finishedAt: number): void {
    const { running, stop, probeFailures: _, ...state } = this.of(container);
    if (running === undefined) return;
    const { startedAt, id } = running;
    const why = stop !== undefined && { isUnhealthy: true, isReplaced: stop.isReplaced };
    const ended = { exitCode, reason, startedAt, finishedAt, id, ...why };
    this.set(container, { ...state, ended });
  }

  /** Says of what still runs that it is asked to stop. */
  sayStopping(containers: readonly PodContainer[]): void {
    for (const container of containers) {
      if (this.of(container).running === undefined) continue;
      const { type, reason, message } = stoppingEvent(container);
      this.#outcome.sayOf(container, type, reason, message);
    }
  }

  /** Lets containers end that were all asked to stop at one time. */
  stop(containers: readonly PodContainer[], since: number, grace: number): void {
    const stopping = containers.map((container) => ({
      container,
      state: this.of(container),
      life: this.lifeOf(container),
    }));
    for (const stop of stopsOf(stopping, since, grace)) this.stopAt(stop.container, stop);
  }

  stopAt(container: PodContainer, { at, isKilled }: Omit<ContainerStop, "container">): void {
    if (at > this.#context.now) this.#outcome.wakeAt(at);
    else if (isKilled) this.end(container, killed, "Error", at);
    else this.end(container, 0, "Completed", at);
  }

  /** Asks a container to stop and says why. Returns whether it has stopped. */
  kill(container: PodContainer, message: string, grace: number): boolean {
    this.#outcome.sayOf(container, "Normal", "Killing", message);
    const [state, life] = [this.of(container), this.lifeOf(container)];
    const [stop] = stopsOf([{ container, state, life }], this.#context.now, grace);
    if (stop === undefined) return false;
    this.set(container, { ...state, stop: { ...stop, isReplaced: hasOtherImage(container, state) } });
    this.stopAt(container, stop);
    return stop.at <= this.#context.now;
  }
}
