import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Store } from "../store/store.ts";
import type { WatchFeed } from "../store/watch-feed.ts";

/** The state of a cluster as a lagging server shows it. It does not change until `catchUp`. */
export class ReplicaView {
  readonly store: Store<KubeObject>;
  readonly #source: Store<KubeObject>;
  readonly #feeds = new Set<WatchFeed<KubeObject>>();

  /** @param behind The number of revisions that it lags behind, limited to the kept history. */
  constructor(source: Store<KubeObject>, behind: number) {
    this.store = source.replica(source.revision - behind);
    this.#source = source;
  }

  /** Calls back once: now if it has missed a write, or when it does. */
  onMissedWrite(callback: () => void): void {
    if (this.#source.revision > this.store.revision) {
      callback();
      return;
    }
    const feed = this.#source.watch({ prefix: "", from: this.#source.revision });
    feed.onReady(() => {
      if (!feed.ended) callback();
      feed.close();
    });
    this.#feeds.add(feed);
  }

  /** Moves to the newest state and follows it from now on; watches that are open on the view see the changes. */
  catchUp(): void {
    for (const feed of this.#feeds) feed.close();
    this.#feeds.clear();
    this.store.follow(this.#source);
  }
}
