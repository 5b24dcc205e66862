import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { StateView } from "../scenario/state-view.ts";
import type { Store } from "../store/store.ts";

/** The state of a store as another server would show it that is behind. */
export class ReplicaView implements StateView {
  readonly store: Store<KubeObject>;
  readonly #source: Store<KubeObject>;

  /** @param behind How many revisions it is behind, or as many as are kept. */
  constructor(source: Store<KubeObject>, behind: number) {
    this.store = source.replica(source.revision - behind);
    this.#source = source;
  }

  catchUp(): void {
    this.store.follow(this.#source);
  }

  /** The store behind a view. @throws {Error} for a view that no cluster made */
  static storeOf(view: StateView): Store<KubeObject> {
    // Not by its class: a test runner that resets its modules gives the state and the server one each.
    if ("store" in view) return (view as ReplicaView).store;
    throw new Error("this view of a state is not one that a cluster gave");
  }
}
