import { createFetch } from "../../src/transports/fetch.ts";
import { serve } from "../../src/transports/node/serve.ts";
import { type Client, fetchClient, http2Client, nodeHttpClient } from "../transports/clients.ts";
import { lifecycle } from "./lifecycle.ts";
import type { ObservedCluster } from "./observed-cluster.ts";

lifecycle("fetch", ({ handler }) => fetchClient(createFetch(handler), "https://cluster.test"));

/** A client of a port, which closes with it. */
async function onPort(
  cluster: ObservedCluster,
  tls: boolean,
  clientOf: (url: string, ca: string) => Client,
): Promise<Client> {
  const serving = await serve(cluster, { tls });
  const client = clientOf(serving.url, serving.caCertificate);
  return {
    ...client,
    close: async () => {
      await client.close?.();
      await serving.close();
    },
  };
}

lifecycle("the port, HTTPS/1.1", (cluster) =>
  onPort(cluster, true, (url, ca) => nodeHttpClient(url, { ca })),
);
lifecycle("the port, HTTP/2", (cluster) => onPort(cluster, true, http2Client));
lifecycle("the port, plain HTTP", (cluster) => onPort(cluster, false, (url) => nodeHttpClient(url)));
