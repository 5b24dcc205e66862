import { Agent as Agent7, request as request7 } from "undici-7";
import { afterAll } from "vitest";
import {
  cancelingFetchClient,
  fetchClient,
  http2Client,
  nodeHttpClient,
  undiciRequestClient,
} from "../../../test/transports/clients.ts";
import type { FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { cancelFact, transportFacts } from "../../../test/transports/transport-facts.ts";
import { type Serving, serve } from "./serve.ts";

const open: Serving[] = [];
async function served(cluster: FakeCluster, tls: boolean): Promise<Serving> {
  const serving = await serve(cluster, { tls });
  open.push(serving);
  return serving;
}
afterAll(() => Promise.all(open.map((serving) => serving.close())));

transportFacts("node:http", async (cluster) => nodeHttpClient((await served(cluster, false)).url));

transportFacts("node:https", async (cluster) => {
  const { url, caCertificate } = await served(cluster, true);
  return nodeHttpClient(url, { ca: caCertificate });
});

transportFacts("node:http2", async (cluster) => {
  const { url, caCertificate } = await served(cluster, true);
  return http2Client(url, caCertificate);
});

transportFacts(
  "global fetch over plain HTTP",
  async (cluster) => fetchClient(fetch, (await served(cluster, false)).url),
  { refuses: ["TRACE"], joinsHeaders: true },
);

transportFacts("undici over HTTP/1.1", async (cluster) => {
  const { url, caCertificate } = await served(cluster, true);
  return undiciRequestClient(request7, url, new Agent7({ connect: { ca: caCertificate } }));
});

transportFacts(
  "undici over HTTP/2",
  async (cluster) => {
    const { url, caCertificate } = await served(cluster, true);
    const agent = new Agent7({ allowH2: true, connect: { ca: caCertificate } });
    return undiciRequestClient(request7, url, agent);
  },
  { joinsHeaders: true, recodesHeaders: true },
);

cancelFact(async (cluster) => cancelingFetchClient(fetch, (await served(cluster, false)).url));
