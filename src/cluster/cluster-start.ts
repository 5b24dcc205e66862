import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { LoadNotes } from "../controllers/contract/load-record.ts";
import type { ControllerProgress } from "../controllers/controller-manager.ts";
import type { Snapshot } from "../store/snapshot.ts";

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
 * The start of a cluster, which ends before its first request is answered: the controllers settle, and the initial
 * objects are loaded.
 */
export class ClusterStart {
  readonly #present: () => ClusterSnapshot;
  #isOver = false;
  #isSnapshotTaken = false;
  #result: ClusterSnapshot | undefined;

  /** @param present Takes a snapshot of the present state. */
  constructor(present: () => ClusterSnapshot) {
    this.#present = present;
  }

  /** Whether the cluster has its initial objects. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The state at the end, which the first request finds. It is kept only if a snapshot was taken before the end. */
  get result(): ClusterSnapshot | undefined {
    return this.#result;
  }

  end(): void {
    this.#isOver = true;
    if (this.#isSnapshotTaken) this.#result = this.#present();
  }

  /** The present state; before the end, it also stands for the state at the end, with the initial objects. */
  snapshot(): ClusterSnapshot {
    const present = this.#present();
    if (this.#isOver) return present;
    this.#isSnapshotTaken = true;
    return { ...present, start: this };
  }
}
