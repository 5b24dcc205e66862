import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { LoadNotes } from "../controllers/contract/load-record.ts";
import type { ControllerProgress } from "../controllers/controller-manager.ts";
import type { Faults } from "../scenario/faults.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./options.ts";
import type { PublishedServer } from "./published-server.ts";

/** The whole state of a cluster, for `restore`. */
export interface ClusterSnapshot {
  readonly state: Snapshot<KubeObject>;
  /** The position in the sequence of seeded uids and names. */
  readonly identifiers: number;
  readonly loads: LoadNotes;
  /** How far the controllers have come; undefined before they start. */
  readonly controllers: ControllerProgress | undefined;
  /** The start that had not ended yet; undefined later. The snapshot stands for the state in which it ends. */
  readonly start?: { readonly result: ClusterSnapshot | undefined };
}

/**
 * The start that a cluster shares with forks that were made before it. One that starts leaves the state in which its start ended, and
 * those that start within the same second of their clocks go on from there, as forks that were made later do: they load no initial
 * objects again. In another second, their objects would have other times, so that those would depend on which cluster starts first.
 */
export class SharedStart {
  #end: { readonly state: ClusterSnapshot; readonly second: number } | undefined;

  /** Leaves the state at the end of a start to the others. The time is that of the cluster's clock. */
  leave(state: ClusterSnapshot, time: number): void {
    this.#end = { state, second: Math.floor(time / 1000) };
  }

  /** The state at the end; undefined if no start has ended in the second of this time. */
  endAt(time: number): ClusterSnapshot | undefined {
    return this.#end?.second === Math.floor(time / 1000) ? this.#end.state : undefined;
  }
}

/** The parts of a cluster that its start looks at, as they are when they are asked for. */
interface StartingCluster {
  readonly state: () => Store<KubeObject>;
  readonly config: () => Config;
  readonly progress: () => ControllerProgress | undefined;
}

/** What a test may have done before the start. */
interface TestedCluster {
  readonly faults: Pick<Faults, "isEmpty">;
  readonly published: Pick<PublishedServer, "isOpen">;
}

/**
 * The start of a cluster, which ends before its first request is answered: the controllers settle, and the initial
 * objects are loaded.
 */
export class ClusterStart {
  readonly #cluster: StartingCluster;
  #isOver = false;
  #isResultKept = false;
  #result: ClusterSnapshot | undefined;
  #hasBegun = false;
  /** The start that forks share with this one: to begin with, and to leave its end to. */
  #shared: SharedStart | undefined;

  constructor(cluster: StartingCluster, shared?: SharedStart) {
    this.#cluster = cluster;
    this.#shared = shared;
  }

  /** The start that a fork shares with this one; undefined once this one has begun. */
  share(): SharedStart | undefined {
    if (!this.#hasBegun) this.#shared ??= new SharedStart();
    return this.#hasBegun ? undefined : this.#shared;
  }

  /** Keeps the state at the end. */
  keepResult(): void {
    this.#isResultKept = true;
  }

  /** Ends the sharing, because the start may no longer find what the others find: another state, or another webhook. */
  standAlone(): void {
    this.#shared = undefined;
  }

  /**
   * Begins. The result is the state in which a shared start has ended, from which the cluster goes on. A cluster does not share its start
   * if a test has opened a port, injected a fault or scripted pods, which the start would find.
   */
  begin({ faults, published }: TestedCluster): ClusterSnapshot | undefined {
    this.#hasBegun = true;
    const { clock, simulation } = this.#cluster.config();
    const isUsual = faults.isEmpty && !published.isOpen && simulation.length === 0;
    const end = isUsual ? this.#shared?.endAt(clock.now()) : undefined;
    if (!isUsual || end !== undefined) this.standAlone();
    return end;
  }

  /** Whether the cluster has its initial objects. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The state at the end, which the first request finds. It is kept only if that was asked for before, or for others. */
  get result(): ClusterSnapshot | undefined {
    return this.#result;
  }

  /** @param isClosed Whether the cluster has been closed before the end. */
  end(isClosed: boolean): void {
    this.#isOver = true;
    const shared = isClosed ? undefined : this.#shared;
    this.standAlone();
    if (!this.#isResultKept && shared === undefined) return;
    this.#result = this.#present();
    shared?.leave(this.#result, this.#cluster.config().clock.now());
  }

  #present(): ClusterSnapshot {
    const { identifiers, loads } = this.#cluster.config();
    return {
      state: this.#cluster.state().snapshot(),
      identifiers: identifiers.position(),
      loads: loads.notes,
      controllers: this.#cluster.progress(),
    };
  }

  /** The present state; before the end, it also stands for the state at the end, with the initial objects. */
  snapshot(): ClusterSnapshot {
    const present = this.#present();
    if (this.#isOver) return present;
    this.keepResult();
    return { ...present, start: this };
  }
}
