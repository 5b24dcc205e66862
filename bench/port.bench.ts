import { type Benchmark, median } from "./benchmark.ts";
import { Child } from "./child.ts";
import { RawClient } from "./raw-client.ts";

const pod = "/api/v1/namespaces/default/pods/shop-backend-5d69f6c8b4-000000";
const connections = 8;
const requests = 1000;
const watchers = 1000;
const events = 100;

/** Our server, and a plain one that sends what it has recorded from ours. */
interface Servers {
  readonly subject: Child;
  readonly reference: Child;
  readonly get: string;
  readonly watch: string;
  /** How many bytes each watcher gets for one event. */
  readonly frameLength: number;
}

export const benchmarks: readonly Benchmark[] = [
  {
    what: "GET of one object on the port",
    reference: "node:http answering the same bytes",
    atMost: 1.6,
    unit: "x",
    measure: () =>
      measured(async ({ subject, reference, get }) =>
        ratioOf(
          () => answering(reference, get),
          () => answering(subject, get),
        ),
      ),
  },
  {
    what: "watch: 1,000 watchers, 100 events each",
    reference: "node:http writing the same bytes",
    atMost: 1.3,
    unit: "x",
    measure: () =>
      measured(async ({ subject, reference, watch, frameLength }) => {
        const ours = await watching(subject, watch);
        const theirs = await watching(reference, watch);
        return ratioOf(
          () => sending(reference, theirs, frameLength),
          () => sending(subject, ours, frameLength),
        );
      }),
  },
];

async function measured(measure: (servers: Servers) => Promise<number>): Promise<number> {
  const servers = await start();
  const ratio = await measure(servers);
  await Promise.all([servers.subject.stop(), servers.reference.stop()]);
  return ratio;
}

async function start(): Promise<Servers> {
  const subject = await Child.start("port");
  const port = await subject.ask<number>("port");
  const token = await subject.ask<string>("token");
  const request = (target: string): string =>
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench/1.0\r\nAccept: application/json\r\n` +
    `Authorization: Bearer ${token}\r\n\r\n`;
  const get = request(pod);
  const revision = await subject.ask<string>("revision");
  const watch = request(`/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=${revision}`);
  const client = await RawClient.open(port);
  const answer = await client.next(get);
  const head = await client.next(watch);
  const first = client.next();
  await subject.ask("events 1");
  const [, event = ""] = (await first).split("\r\n");
  client.close();
  const reference = await Child.start("plain-port", answer, head, event);
  return { subject, reference, get, watch, frameLength: (await first).length };
}

async function ratioOf(reference: () => Promise<number>, subject: () => Promise<number>): Promise<number> {
  const ratios: number[] = [];
  for (let index = -1; index < 9; index++) {
    const base = await reference();
    const ratio = (await subject()) / base;
    // The first pair only warms up the compilers.
    if (index >= 0) ratios.push(ratio);
  }
  return median(ratios);
}

/** The CPU time of a server for many requests on persistent connections. */
async function answering(server: Child, request: string): Promise<number> {
  const clients = await connected(server, connections);
  const length = (await clients[0]?.next(request))?.length ?? 0;
  const cpu = await cpuOf(server, () =>
    Promise.all(clients.map((client) => client.repeat(request, length, requests))),
  );
  for (const client of clients) client.close();
  return cpu;
}

async function watching(server: Child, request: string): Promise<readonly RawClient[]> {
  const clients = await connected(server, watchers);
  for (const client of clients) await client.next(request);
  return clients;
}

/**
 * The CPU time of a server that sends the same events to all clients. Each event arrives before the next is sent: a batch
 * of waiting events costs less, and batches form more often the faster the server is.
 */
async function sending(server: Child, clients: readonly RawClient[], frameLength: number): Promise<number> {
  return cpuOf(server, async () => {
    for (let index = 0; index < events; index++) {
      const arrived = clients.map((client) => client.receives(frameLength));
      await server.ask("events 1");
      await Promise.all(arrived);
    }
  });
}

/**
 * The CPU time of a server while its clients work. The clients stay awake: waking a process costs its sender
 * as much as a small response, and a slower server would find its clients asleep more often.
 */
async function cpuOf(server: Child, work: () => Promise<unknown>): Promise<number> {
  let isAwake = true;
  const stayAwake = (): void => {
    if (isAwake) setImmediate(stayAwake);
  };
  stayAwake();
  const before = await server.ask<number>("cpu");
  await work();
  const cpu = (await server.ask<number>("cpu")) - before;
  isAwake = false;
  return cpu;
}

async function connected(server: Child, count: number): Promise<readonly RawClient[]> {
  const port = await server.ask<number>("port");
  const clients: RawClient[] = [];
  while (clients.length < count) clients.push(await RawClient.open(port));
  return clients;
}
