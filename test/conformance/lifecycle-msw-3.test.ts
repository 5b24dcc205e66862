import { Agent, request } from "undici-7";
import { afterAll, beforeAll, test, vi } from "vitest";
import { fetchClient, nodeHttpClient, undiciRequestClient, unpooled } from "../transports/clients.ts";
import { tooOldFor } from "../transports/too-old-for.ts";
import { lifecycle } from "./lifecycle.ts";
import type { ObservedCluster } from "./observed-cluster.ts";

vi.mock("msw", () => import("msw-3"));

const tooOld = tooOldFor("MSW 3", 22);
if (tooOld !== undefined) {
  console.log(`skipped: ${tooOld}`);
  test.skip(tooOld, () => {});
} else {
  const { setupServer } = await import("msw-3/node");
  const { attach, kubernetesHandlers } = await import("../../src/transports/web/msw.ts");
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
  afterAll(() => server.close());

  const intercept = (cluster: ObservedCluster, origin: string): string => {
    server.use(...kubernetesHandlers(cluster, origin));
    return origin;
  };
  // MSW replaces the global fetch when it listens.
  const globalFetch = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);

  lifecycle("MSW 3, fetch", (cluster) => fetchClient(globalFetch, intercept(cluster, "https://fetch.test")));
  lifecycle("MSW 3, node:https", (cluster) => nodeHttpClient(intercept(cluster, "https://node.test")));
  let attached = 0;
  lifecycle("MSW 3, a client with its own undici", (cluster) => {
    // Each cluster stays attached, so each has an origin of its own.
    const origin = `https://undici-${attached++}.test`;
    attach(cluster, origin);
    return undiciRequestClient(request, origin, new Agent(unpooled));
  });
}
