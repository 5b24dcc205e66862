import { tooLargeResourceVersion } from "../../registry/contract/storage-errors.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";

/** How long a read waits for a future revision, in milliseconds. */
const freshnessTimeout = 3000;

/**
 * Waits until the store has reached a revision, which `resourceVersion` shows as the client sent it; undefined if it
 * has. The signal of the client is read only if there is something to wait for, since most requests never create it.
 * @throws {StatusError} timeout after three seconds: "Too large resource version"
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
