import type { Benchmark } from "./benchmark.ts";
import { type PortServer, portRatio, type Security } from "./port-servers.ts";
import type { RawClient } from "./raw-client.ts";
import { pods, unlikePod } from "./target.ts";

const pod = `${pods}/shop-backend-5d69f6c8b4-000000`;
const configMaps = "/api/v1/namespaces/default/configmaps";
const watch = `${configMaps}?watch=1&resourceVersion=`;
const data = { text: "x".repeat(500) };
const written = "node:https: JSON.parse, Map, JSON.stringify, the same bytes";

export const benchmarks: readonly Benchmark[] = [
  ...[
    { what: "GET of one object on the port", security: "plain", atMost: 1.6 } as const,
    { what: "GET of one object on the port, TLS", security: "tls", atMost: 1.4 } as const,
  ].map((row) => answers(row, pod, 1, 8000)),
  ...[
    { what: "list of 2,000 pods on the port", security: "plain", atMost: 1.4 } as const,
    { what: "list of 2,000 pods on the port, TLS", security: "tls", atMost: 1.2 } as const,
  ].map((row) => answers(row, pods, 2000, 40)),
  {
    what: "watch: 1,000 watchers, 100 events each",
    reference: "node:http writing the same bytes",
    atMost: 1.3,
    unit: "x",
    measure: () => portRatio("plain", 1, (server, subject) => sending(server, subject, 1000)),
  },
  writers("watch: 100 watchers, one writer, TLS", 1, 1.5),
  writers("watch: 100 watchers, eight writers, TLS", 8, 1.3),
  {
    what: "create of pods that differ on the port, TLS",
    reference: "node:https: JSON.parse, Map, JSON.stringify",
    atMost: 2.5,
    unit: "x",
    measure: () => portRatio("tls", 1, creating),
  },
];

interface Row {
  readonly what: string;
  readonly security: Security;
  readonly atMost: number;
}

/** Requests of eight clients for one target. */
function answers(
  { what, security, atMost }: Row,
  target: string,
  count: number,
  requests: number,
): Benchmark {
  const reference = `node:${security === "tls" ? "https" : "http"} answering the same bytes`;
  const measure = () =>
    portRatio(security, count, async (server, subject) => {
      if (server !== subject) await server.ask(`record ${target}`);
      const request = server.get(target);
      return () => answering(server, request, requests / 8);
    });
  return { what, reference, atMost, unit: "x", measure };
}

/** The CPU time of a server for many requests on persistent connections. */
async function answering(server: PortServer, request: string, times: number): Promise<number> {
  const clients = await server.connected(8, "bytes");
  const length = (await clients[0]?.lengthOf(request)) ?? 0;
  const cpu = await server.cpuOf(() =>
    Promise.all(clients.map((client) => client.repeat(request, length, times))),
  );
  for (const client of clients) client.close();
  return cpu;
}

async function watching(
  server: PortServer,
  subject: PortServer,
  count: number,
): Promise<readonly RawClient[]> {
  const request = `${watch}${await subject.ask<string>("revision")}`;
  if (server !== subject) {
    await server.ask(`record ${request}`);
    await server.ask(`recordCreate ${configMaps}`);
  }
  const clients = await server.connected(count, "events");
  for (const client of clients) await client.next(server.get(request));
  return clients;
}

/**
 * The CPU time of a server that sends the same events to all clients. Each event arrives before the next is sent: a batch
 * of waiting events costs less, and batches form more often the faster the server is.
 */
async function sending(
  server: PortServer,
  subject: PortServer,
  count: number,
): Promise<() => Promise<number>> {
  const clients = await watching(server, subject, count);
  return () =>
    server.cpuOf(async () => {
      for (let index = 0; index < 100; index++) {
        const arrived = clients.map((client) => client.receives(1));
        await server.ask("events 1");
        await Promise.all(arrived);
      }
    });
}

/** Clients that create objects one after the other, while a hundred others watch. */
function writers(what: string, count: number, atMost: number): Benchmark {
  const measure = () =>
    portRatio("tls", 1, async (server, subject) => {
      const watchers = await watching(server, subject, 100);
      const clients = await server.connected(count, "answers");
      let serial = 0;
      const create = (): string => {
        const name = `written-${String(serial++).padStart(6, "0")}`;
        return server.post(configMaps, JSON.stringify({ metadata: { name }, data }));
      };
      return () => server.cpuOf(() => writing(clients, watchers, create));
    });
  return { what, reference: written, atMost, unit: "x", measure };
}

/** Eight clients that together create 400 pods. */
async function creating(server: PortServer, subject: PortServer): Promise<() => Promise<number>> {
  if (server !== subject) await server.ask(`recordCreate ${pods}`);
  const clients = await server.connected(8, "answers");
  let serial = 0;
  const createAll = async (client: RawClient): Promise<void> => {
    for (let index = 0; index < 50; index++) await client.answer(server.post(pods, unlikePod(serial++)));
  };
  return () => server.cpuOf(() => Promise.all(clients.map(createAll)));
}

const writes = 200;

/** All writers together create 200 objects. Each creates the next when the watchers have the last ones. */
async function writing(
  clients: readonly RawClient[],
  watchers: readonly RawClient[],
  create: () => string,
): Promise<void> {
  for (let written = 0; written < writes; written += clients.length) {
    const arrived = watchers.map((watcher) => watcher.receives(clients.length));
    const answered = clients.map((client) => client.answer(create()));
    await Promise.all([...arrived, ...answered]);
  }
}
