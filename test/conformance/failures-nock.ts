import type { Served } from "../../src/transports/contract/served.ts";
import type { interceptKubernetes } from "../../src/transports/node/nock.ts";
import { type Client, fetchClient, nodeHttpClient } from "../transports/clients.ts";
import { failuresThroughInterceptor } from "./failures.ts";

// nock replaces the global fetch.
const globalFetch = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);

/** The failures with either version of nock, for clients on fetch and on Node's http. */
export function nockFailures(title: string, intercept: typeof interceptKubernetes): void {
  const behind = (cluster: Served, origin: string, clientOf: (origin: string) => Client): Client => {
    const { restore } = intercept(cluster, origin);
    return { ...clientOf(origin), close: restore };
  };
  failuresThroughInterceptor(`${title}, fetch`, (cluster) =>
    behind(cluster, "https://fetch.test", (origin) => fetchClient(globalFetch, origin)),
  );
  failuresThroughInterceptor(`${title}, node:https`, (cluster) =>
    behind(cluster, "https://node.test", nodeHttpClient),
  );
}
