import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { StateView } from "../scenario/state-view.ts";
import type { Store } from "../store/store.ts";

/** The state of a store as a lagging server shows it. */
export class ReplicaView implements StateView {
  readonly store: Store<KubeObject>;
  readonly #source: Store<KubeObject>;

  /** @param behind The number of revisions that it lags behind, limited to the kept history. */
  constructor(source: Store<KubeObject>, behind: number) {
    this.store = source.replica(source.revision - behind);
    this.#source = source;
  }

  catchUp(): void {
    this.store.follow(this.#source);
  }

  /** The store behind a view. @throws {Error} for a view that was not created by a cluster */
  static storeOf(view: StateView): Store<KubeObject> {
    // Not by its class: if a test runner resets its modules, the state and the server have different classes.
    if ("store" in view) return (view as ReplicaView).store;
    throw new Error("the state view was not created by a cluster");
  }
}
