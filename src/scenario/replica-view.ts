import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Store } from "../store/store.ts";

/** The state of a cluster as a lagging server shows it. It does not change until `catchUp`. */
export class ReplicaView {
  readonly store: Store<KubeObject>;
  readonly #source: Store<KubeObject>;

  /** @param behind The number of revisions that it lags behind, limited to the kept history. */
  constructor(source: Store<KubeObject>, behind: number) {
    this.store = source.replica(source.revision - behind);
    this.#source = source;
  }

  /** Moves to the newest state and follows it from now on; watches that are open on the view see the changes. */
  catchUp(): void {
    this.store.follow(this.#source);
  }
}
