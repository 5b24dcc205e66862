import { test } from "vitest";
import { serve } from "../../src/transports/node/serve.ts";
import { createDispatcher } from "../../src/transports/node/undici.ts";
import { createFetch } from "../../src/transports/web/fetch.ts";
import {
  type Client,
  fetchClient,
  http2Client,
  nodeHttpClient,
  type UndiciRequest,
  undiciRequestClient,
} from "../transports/clients.ts";
import { tooOldFor } from "../transports/too-old-for.ts";
import { type Connect, lifecycle } from "./lifecycle.ts";
import type { ObservedCluster } from "./observed-cluster.ts";

const origin = "https://cluster.test";

lifecycle("fetch", ({ handler }) => fetchClient(createFetch(handler), origin));

/** A client of a port, which closes with the client. */
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

/** Uses a library that may need a newer Node than this one, and loads it only on such a Node. */
async function through(title: string, needs: number, load: () => Promise<Connect>): Promise<void> {
  const reason = tooOldFor(title, needs);
  if (reason === undefined) {
    lifecycle(title, await load());
    return;
  }
  console.log(`skipped: ${reason}`);
  test.skip(`${title}: ${reason}`, () => {});
}

/** The part of undici that the tests use; the types of the two versions differ in irrelevant details. */
interface Undici {
  readonly Dispatcher: new () => object;
  readonly request: UndiciRequest;
}

const undici = (name: string) => async (): Promise<Connect> => {
  const library: Undici = await import(name);
  return (cluster) => undiciRequestClient(library.request, origin, createDispatcher(cluster, library));
};

await through("undici 7", 20, undici("undici-7"));
await through("undici 8", 22, undici("undici-8"));
