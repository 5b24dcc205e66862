import type { interceptKubernetes } from "../../src/transports/node/nock.ts";
import { type Client, fetchClient, nodeHttpClient } from "../transports/clients.ts";
import { lifecycle } from "./lifecycle.ts";
import type { ObservedCluster } from "./observed-cluster.ts";

// nock replaces the global fetch.
const globalFetch = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);

/** The life of objects with either version of nock, for clients on fetch and on Node's http. */
export function nockLifecycle(title: string, intercept: typeof interceptKubernetes): void {
  const behind = (cluster: ObservedCluster, origin: string, clientOf: (origin: string) => Client): Client => {
    const { restore } = intercept(cluster, origin);
    return { ...clientOf(origin), close: restore };
  };
  lifecycle(`${title}, fetch`, (cluster) =>
    behind(cluster, "https://fetch.test", (origin) => fetchClient(globalFetch, origin)),
  );
  lifecycle(`${title}, node:https`, (cluster) => behind(cluster, "https://node.test", nodeHttpClient));
}
