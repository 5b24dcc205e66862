import { CoreV1Api, KubeConfig, Watch } from "client-node-1";
import { afterEach, expect, test, vi } from "vitest";
import { createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Lines that arrive one by one. */
class Lines {
  readonly #all: string[] = [];
  readonly #waiters: { readonly line: string; readonly resolve: () => void }[] = [];

  get all(): readonly string[] {
    return this.#all;
  }

  add(line: string): void {
    this.#all.push(line);
    for (const waiter of this.#waiters) if (waiter.line === line) waiter.resolve();
  }

  /** Resolves when the line has arrived. */
  seen(line: string): Promise<void> {
    if (this.#all.includes(line)) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ line, resolve }));
  }
}

test("with fake timers, a client on a port gets responses, stepped events, and the end of its watch", async () => {
  vi.useFakeTimers({ now: Date.parse("2030-01-01T00:00:00Z") });
  await using cluster = createCluster({ controllers: [] });
  const server = await serve(cluster);
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(server.kubeconfig());
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const create = (name: string) =>
    core.createNamespacedConfigMap({ namespace: "default", body: { metadata: { name } } });
  const created = await create("a");
  expect(created.metadata?.creationTimestamp).toEqual(new Date("2030-01-01T00:00:00Z"));

  const lines = new Lines();
  await new Watch(kubeConfig).watch(
    "/api/v1/namespaces/default/configmaps",
    { timeoutSeconds: 60 },
    (type, object) => lines.add(`${type} ${object.metadata.name}`),
    (error) => lines.add(`ended with ${error}`),
  );
  await lines.seen("ADDED a");
  const held = cluster.watches.hold();
  await create("b");
  expect(held.waiting.map(({ name }) => name)).toEqual(["b"]);
  expect(lines.all).toEqual(["ADDED a"]);
  await held.step();
  await lines.seen("ADDED b");
  await vi.advanceTimersByTimeAsync(60_000);
  await lines.seen("ended with null");
  expect(lines.all).toEqual(["ADDED a", "ADDED b", "ended with null"]);
  expect(cluster.requests.auditEvents({ verb: "watch" })).toMatchObject([
    {
      stage: "ResponseComplete",
      sourceIPs: ["127.0.0.1"],
      requestReceivedTimestamp: "2030-01-01T00:00:00.000000Z",
      stageTimestamp: "2030-01-01T00:01:00.000000Z",
    },
  ]);
  await server.close();
});
