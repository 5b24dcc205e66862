import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type TestAPI } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, type RequestScope } from "../index.ts";
import { type Serving, serve } from "../transports/node/serve.ts";
import { type ExpectedObject, toHaveObject, toHaveRequested } from "./cluster-matchers.ts";

/** What a test can ask for by name; made when it does, and gone when it ends. */
export interface ClusterFixtures {
  /** A cluster of the test's own. At its end every fault that was injected must have struck. */
  readonly cluster: Cluster;
  /** The cluster on a port, with TLS. */
  readonly server: Serving;
  /** The path of a kubeconfig for the port, for administrators. */
  readonly kubeconfig: string;
}

/** What a test file says of the clusters of its tests. */
export interface ClusterTestOptions extends ClusterOptions {
  /** Brings a cluster into the state in which every test of the file finds it; each gets a fork. Default: nothing. */
  readonly prepare?: (cluster: Cluster) => Promise<unknown>;
}

/**
 * Vitest's `test`, whose tests have a cluster each:
 * `const test = clusterTest({ objects }); test("...", async ({ cluster, kubeconfig }) => { ... })`.
 */
export function clusterTest(options: ClusterTestOptions = {}): TestAPI<ClusterFixtures> {
  const { prepare, ...clusterOptions } = options;
  let original: Promise<Cluster> | undefined;
  const prepared = async (): Promise<Cluster> => {
    const made = createCluster(clusterOptions);
    await made.settle();
    await prepare?.(made);
    await made.settle();
    return made;
  };
  return base.extend<ClusterFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
    cluster: async ({}, use) => {
      original ??= prepared();
      const cluster = (await original).fork();
      await use(cluster);
      await cluster.close();
      cluster.faults.check();
    },
    server: async ({ cluster }, use) => {
      const server = await serve(cluster);
      await use(server);
      await server.close();
    },
    kubeconfig: async ({ server }, use) => {
      const directory = mkdtempSync(join(tmpdir(), "kubedouble-"));
      const path = join(directory, "kubeconfig");
      writeFileSync(path, server.kubeconfig(), { mode: 0o600 });
      await use(path);
      rmSync(directory, { recursive: true, force: true });
    },
  });
}

/** `test` with a fresh cluster, and matchers for clusters. */
export const test: TestAPI<ClusterFixtures> = clusterTest();

expect.extend({
  toHaveObject: (cluster: Cluster, expected: ExpectedObject) => toHaveObject(cluster, expected),
  toHaveRequested: (cluster: Cluster, scope: RequestScope, times?: number) =>
    toHaveRequested(cluster, scope, times),
});

declare module "vitest" {
  interface Matchers<T> {
    /** Whether the cluster has an object that is like this one: every field that is given has this value. */
    toHaveObject(expected: ExpectedObject): T extends Cluster ? Promise<void> : never;
    /** Whether a client has asked the cluster for something; so often, if a number is given. */
    toHaveRequested(scope: RequestScope, times?: number): T extends Cluster ? void : never;
  }
}

export { expect };
