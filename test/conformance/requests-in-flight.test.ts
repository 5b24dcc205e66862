import { afterEach, describe, expect, test, vi } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import { latency } from "../../src/scenario/presets.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { http2Client, nodeHttpClient } from "../transports/clients.ts";
import { RawConnection } from "../transports/raw-connection.ts";
import { type Answer, type Api, apiOf } from "./api.ts";
import { identifiers } from "./masked-names.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Busy {
  readonly cluster: Cluster;
  readonly serving: Serving;
  readonly alice: Api;
  readonly admin: Api;
}

/** A cluster on which some requests take an hour of its clock. */
async function busy(options: ClusterOptions, tls: boolean, verb = ["list", "create"]): Promise<Busy> {
  const cluster = createCluster({ seed: 1, controllers: [], identifiers, ...options });
  // The code of a cluster is loaded with its first request.
  await cluster.settle();
  const serving = await serve(cluster, { tls });
  if (verb.length > 0)
    cluster.inject(latency({ verb, milliseconds: 3_600_000, times: Number.POSITIVE_INFINITY }));
  const client = tls ? http2Client(serving.url, serving.caCertificate) : nodeHttpClient(serving.url);
  closing.push(async () => {
    await client.close?.();
    await serving.close();
    await cluster.close();
  });
  return {
    cluster,
    serving,
    alice: apiOf(client, cluster.token("alice")),
    admin: apiOf(client, cluster.adminToken()),
  };
}

const create = (api: Api, name: string): Promise<Answer> =>
  api.ask("POST", configMaps, { body: { metadata: { name } } });
const untilReceived = (cluster: Cluster, count: number): Promise<boolean> =>
  vi.waitUntil(() => cluster.requests.all.filter(({ user }) => user !== undefined).length >= count, 20_000);

describe.each([
  ["HTTP/1.1", false],
  ["HTTP/2", true],
])("requests in flight over %s", (_title, tls) => {
  test("beyond the limit get 429 in plain text, until others have their answers", async () => {
    const { cluster, alice } = await busy({ maxRequestsInflight: 2 }, tls);
    const lists = [alice.ask("GET", configMaps), alice.ask("GET", configMaps)];
    await untilReceived(cluster, 2);
    const refused = await alice.ask("GET", "/version");
    expect(refused).toMatchObject({ status: 429, text: "Too many requests, please try again later.\n" });
    const names = ["retry-after", "content-type", "x-content-type-options"];
    expect(names.map((name) => refused.header(name))).toEqual(["1", "text/plain; charset=utf-8", "nosniff"]);
    await cluster.clock.advance("1h");
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await alice.ask("GET", "/version")).status).toBe(200);
  });

  test("read and write under separate limits", async () => {
    const { cluster, alice } = await busy({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 1 }, tls);
    const answers = [create(alice, "a")];
    await untilReceived(cluster, 1);
    expect((await create(alice, "b")).status).toBe(429);
    answers.push(alice.ask("GET", configMaps));
    await untilReceived(cluster, 3);
    expect((await alice.ask("GET", `${configMaps}/a`)).status).toBe(429);
    await cluster.clock.advance("1h");
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 200]);
  });

  test("of system:masters, of the same process and of watches are not refused", async () => {
    const { cluster, alice, admin } = await busy({ maxRequestsInflight: 1 }, tls);
    const list = alice.ask("GET", configMaps);
    await untilReceived(cluster, 1);
    expect((await admin.ask("GET", "/version")).status).toBe(200);
    const { status } = await cluster.fetch("https://cluster.test/version", {
      headers: { authorization: `Bearer ${cluster.token("bob")}` },
    });
    expect(status).toBe(200);
    const watches = await Promise.all(Array.from({ length: 5 }, () => alice.watch(`${configMaps}?watch=1`)));
    expect(watches.map((watch) => watch.status)).toEqual([200, 200, 200, 200, 200]);
    for (const watch of watches) watch.leave();
    await cluster.clock.advance("1h");
    expect((await list).status).toBe(200);
  });

  test("have no limit if it is 0", async () => {
    const { cluster, alice } = await busy({ maxRequestsInflight: 0 }, tls);
    const lists = Array.from({ length: 20 }, () => alice.ask("GET", configMaps));
    await untilReceived(cluster, 20);
    await cluster.clock.advance("1h");
    expect((await Promise.all(lists)).every(({ status }) => status === 200)).toBe(true);
  });
});

test("an answer is in flight until its client has taken it or has left", async () => {
  const { cluster, serving, alice } = await busy({ maxRequestsInflight: 1 }, false, []);
  for (let index = 0; index < 24; index++) {
    const data = { text: "x".repeat(500_000) };
    await cluster.create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: `s${index}` },
      stringData: data,
    });
  }
  const slow = await RawConnection.open(serving.port);
  slow.socket.pause();
  const head = `Host: localhost\r\nAuthorization: Bearer ${cluster.token("alice")}\r\n\r\n`;
  slow.write(`GET /api/v1/namespaces/default/secrets HTTP/1.1\r\n${head}`);
  await cluster.requests.next({ verb: "list", resource: "secrets" });
  expect((await alice.ask("GET", "/version")).status).toBe(429);
  slow.socket.destroy();
  await vi.waitUntil(async () => (await alice.ask("GET", "/version")).status === 200, 20_000);
});
