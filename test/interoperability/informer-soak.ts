import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { ObservedCluster } from "../conformance/observed-cluster.ts";
import { Random } from "../conformance/random.ts";
import type { ClientNode } from "./client-node-facts.ts";

type ConfigMap = { metadata?: { name?: string; resourceVersion?: string }; data?: { [key: string]: string } };

/** How the library connects to a cluster. */
export interface Connection {
  readonly kubeconfig: string;
  close(): Promise<void> | void;
}

const namespace = "default";
const configMap = (name: string, round: number) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
  data: { round: String(round) },
});

/** After so many writes, an informer has the state of the store, regardless of interruptions. */
export function informerSoak(
  title: string,
  writes: number,
  load: () => Promise<ClientNode>,
  connect: (cluster: ObservedCluster) => Promise<Connection> | Connection,
): void {
  describe(title, () => {
    const observed = new ObservedCluster(createCluster());
    const { cluster } = observed;
    let connection: Connection;
    beforeAll(async () => {
      connection = await connect(observed);
    });
    afterAll(async () => {
      await connection.close();
      await cluster.close();
    });

    test(`the cache of an informer equals the store after ${writes} writes, compactions and disconnects`, async () => {
      const library = await load();
      const config = new library.KubeConfig();
      config.loadFromString(connection.kubeconfig);
      const api = config.makeApiClient(library.CoreV1Api);
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const list = () => api.listNamespacedConfigMap({ namespace });
      const informer = library.makeInformer(config, path, list) as InstanceType<ClientNode["ListWatch"]>;
      const cache = new Map<string, string | undefined>();
      const remember = ({ metadata }: ConfigMap) =>
        cache.set(String(metadata?.name), metadata?.resourceVersion);
      let isOver = false;
      informer.on("add", remember);
      informer.on("update", remember);
      informer.on("delete", ({ metadata }) => cache.delete(String(metadata?.name)));
      // As recommended in the library's documentation.
      informer.on("error", () => {
        if (!isOver) setImmediate(() => void informer.start());
      });
      await informer.start();

      const random = new Random(20);
      const present = new Set<string>();
      for (let round = 1; round <= writes; round++) {
        const name = `map-${random.below(300)}`;
        if (!present.has(name)) {
          await cluster.create(configMap(name, round));
          present.add(name);
        } else if (random.chance(40)) {
          await cluster.delete("v1", "ConfigMap", name, { namespace });
          present.delete(name);
        } else {
          await cluster.update(configMap(name, round));
        }
        if (round % 397 === 0) cluster.compact();
        if (round % 331 === 0) observed.dropWatches();
        // Gives the client a turn.
        if (round % 20 === 0) await new Promise((resolve) => setTimeout(resolve));
      }

      const stored = async () => {
        const { items } = await cluster.list("v1", "ConfigMap", { namespace });
        return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
      };
      const sorted = (entries: Iterable<readonly [string, string | undefined]>) =>
        Object.fromEntries([...entries].sort());
      const expected = sorted(Object.entries(await stored()));
      await expect.poll(() => sorted(cache), { timeout: 30_000 }).toEqual(expected);
      const held = informer.list(namespace).map((one: ConfigMap) => {
        return [String(one.metadata?.name), one.metadata?.resourceVersion] as const;
      });
      expect(sorted(held)).toEqual(sorted(cache));
      expect(present.size).toBeGreaterThan(100);
      isOver = true;
      await informer.stop();
      await observed.allEnded();
    }, 120_000);
  });
}
