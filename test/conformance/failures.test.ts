import type { Served } from "../../src/transports/contract/served.ts";
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
import type { ConnectTo } from "./failure-world.ts";
import { failuresBehindMasks, failuresOfUpgrades, failuresThrough } from "./failures.ts";

const origin = "https://cluster.test";

failuresThrough("fetch", ({ handler }) => fetchClient(createFetch(handler), origin));
failuresBehindMasks("fetch, masked names", ({ handler }) => fetchClient(createFetch(handler), origin));

const ports = new WeakMap<Served, ReturnType<typeof serve>>();

/** Clients of one port, which closes with the first client. */
function onPort(tls: boolean, clientOf: (url: string, ca: string) => Client): ConnectTo {
  return async (cluster) => {
    const known = ports.get(cluster);
    const port = known ?? serve(cluster, { tls });
    ports.set(cluster, port);
    const { url, caCertificate, close } = await port;
    const client = clientOf(url, caCertificate);
    return {
      ...client,
      close: async () => {
        await client.close?.();
        if (known === undefined) await close();
      },
    };
  };
}

failuresOfUpgrades("a port with upgrades", () => {
  throw new Error("these failures are met on a port of their own");
});
failuresThrough(
  "the port, plain HTTP",
  onPort(false, (url) => nodeHttpClient(url)),
);
failuresThrough(
  "the port, HTTPS/1.1",
  onPort(true, (url, ca) => nodeHttpClient(url, { ca })),
);
failuresThrough("the port, HTTP/2", onPort(true, http2Client));

/** The part of undici that the tests use; the types of the two versions differ in irrelevant details. */
interface Undici {
  readonly Dispatcher: new () => object;
  readonly request: UndiciRequest;
}

for (const [name, needs] of [
  ["undici-7", 20],
  ["undici-8", 22],
] as const) {
  const tooOld = tooOldFor(name, needs);
  if (tooOld !== undefined) {
    console.log(`skipped: ${tooOld}`);
    continue;
  }
  const library: Undici = await import(name);
  failuresThrough(name, (cluster) =>
    undiciRequestClient(library.request, origin, createDispatcher(cluster, library)),
  );
}
