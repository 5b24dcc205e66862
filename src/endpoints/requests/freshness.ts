import { tooLargeResourceVersion } from "../../registry/contract/storage-errors.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";

/** How long a read waits for a revision that is still to come, in milliseconds. */
const freshnessTimeout = 3000;

/**
 * Waits until the store has reached a revision, which `resourceVersion` is as the client wrote it; undefined when it
 * has. The client's signal is not asked for before there is something to wait for, because most requests never make one.
 * @throws {StatusError} timeout after three seconds: "Too large resource version".
 */
export function reachRevision(
  { store, clock }: Pick<EndpointEnvironment, "store" | "clock">,
  revision: number,
  resourceVersion: string,
  client: Pick<ApiRequest, "signal">,
): Promise<void> | undefined {
  if (revision <= store.revision) return undefined;
  return new Promise((resolve, reject) => {
    const feed = store.watch({ prefix: "", from: store.revision, signal: client.signal });
    const timer = clock.after(freshnessTimeout, () => feed.close());
    feed.onReady(() => {
      feed.drain();
      const isReached = store.revision >= revision;
      if (!isReached && !feed.ended) return;
      timer.cancel();
      feed.close();
      if (isReached) resolve();
      else reject(tooLargeResourceVersion(resourceVersion, store.revision));
    });
  });
}
