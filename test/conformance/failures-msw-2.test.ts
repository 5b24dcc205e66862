import { setupServer } from "msw-2/node";
import { afterAll, beforeAll, vi } from "vitest";
import type { Served } from "../../src/transports/contract/served.ts";
import { kubernetesHandlers } from "../../src/transports/web/msw.ts";
import { fetchClient, nodeHttpClient } from "../transports/clients.ts";
import { failuresThroughInterceptor } from "./failures.ts";

vi.mock("msw", () => import("msw-2"));

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());

function intercept(cluster: Served, origin: string): string {
  // The types of the MSW versions are incompatible.
  server.use(...(kubernetesHandlers(cluster, origin) as never[]));
  return origin;
}

// MSW replaces the global fetch when it listens.
const globalFetch = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);

failuresThroughInterceptor("MSW 2, fetch", (cluster) =>
  fetchClient(globalFetch, intercept(cluster, "https://fetch.test")),
);
failuresThroughInterceptor("MSW 2, node:https", (cluster) =>
  nodeHttpClient(intercept(cluster, "https://node.test")),
);
