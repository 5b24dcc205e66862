import { afterEach } from "vitest";
import { type ServeOptions, type Serving, serve } from "../../src/transports/node/serve.ts";
import { FakeCluster, type Feed } from "./fake-cluster.ts";
import { RawConnection } from "./raw-connection.ts";

/** The servers to close after each test. */
export const open: Serving[] = [];
afterEach(() => Promise.all(open.splice(0).map((serving) => serving.close())));

export async function started(
  options: ServeOptions = { tls: false },
): Promise<{ cluster: FakeCluster; serving: Serving }> {
  const cluster = new FakeCluster();
  const serving = await serve(cluster, options);
  open.push(serving);
  return { cluster, serving };
}

export async function connected(options?: ServeOptions) {
  const { cluster, serving } = await started(options);
  return { cluster, serving, connection: await RawConnection.open(serving.port) };
}

export const untilOpen = async (cluster: FakeCluster): Promise<Feed> => {
  for (;;) {
    const [feed] = cluster.feeds;
    if (feed !== undefined) return feed;
    await new Promise((resolve) => setImmediate(resolve));
  }
};
