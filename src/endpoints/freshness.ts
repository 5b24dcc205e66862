import type { Clock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { tooLargeResourceVersion } from "../registry/generic/storage-errors.ts";
import type { Store } from "../store/store.ts";

/** How long a read waits for a revision that is still to come, in milliseconds. */
const freshnessTimeout = 3000;

/**
 * Waits until the store has reached a revision.
 * @throws {StatusError} timeout after three seconds: "Too large resource version".
 */
export function reachRevision(
  store: Store<KubeObject>,
  clock: Clock,
  revision: number,
  signal: AbortSignal,
): Promise<void> | void {
  if (revision <= store.revision) return;
  return new Promise((resolve, reject) => {
    const feed = store.watch({ prefix: "", from: store.revision, signal });
    const timer = clock.after(freshnessTimeout, () => feed.close());
    feed.onReady(() => {
      feed.drain();
      const isReached = store.revision >= revision;
      if (!isReached && !feed.ended) return;
      timer.cancel();
      feed.close();
      if (isReached) resolve();
      else reject(tooLargeResourceVersion(revision, store.revision));
    });
  });
}
