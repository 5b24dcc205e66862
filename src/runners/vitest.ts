import { test as base, expect, type TestAPI } from "vitest";
import type { Cluster, RequestScope } from "../index.ts";
import { type Serving, serve } from "../transports/node/serve.ts";
import { type ExpectedObject, toHaveObject, toHaveRequested } from "./cluster-matchers.ts";
import { KubeconfigFile } from "./kubeconfig-file.ts";
import type { SharedServer } from "./shared-server.ts";
import { type ClusterTestOptions, TestClusters } from "./test-clusters.ts";

/** What a test can ask for by name; made when it does, and gone when it ends. */
export interface ClusterFixtures {
  /**
   * A cluster of the test's own. At its end every fault that was injected must have struck, and clients must have asked
   * for nothing that this API does not have.
   */
  readonly cluster: Cluster;
  /** The cluster on a port, with TLS. */
  readonly server: Serving;
  /** The path of a kubeconfig for the port, for administrators. */
  readonly kubeconfig: string;
}

/**
 * Vitest's `test`, whose tests have a cluster each:
 * `const test = clusterTest({ objects }); test("...", async ({ cluster, kubeconfig }) => { ... })`.
 */
export function clusterTest(options: ClusterTestOptions = {}): TestAPI<ClusterFixtures> {
  const clusters = new TestClusters(options);
  return base.extend<ClusterFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs
    cluster: async ({}, use) => {
      const cluster = await clusters.fork();
      await use(cluster);
      await clusters.end(cluster);
    },
    server: async ({ cluster }, use) => {
      const server = await serve(cluster);
      await use(server);
      await server.close();
    },
    kubeconfig: async ({ server }, use) => {
      const file = new KubeconfigFile(server.kubeconfig());
      await use(file.path);
      file.remove();
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
  interface ProvidedContext {
    /** Where the server of `kubedouble/vitest/global-setup` is, if one is shared. */
    kubedouble: SharedServer;
  }
  interface Matchers<T> {
    /** Whether the cluster has an object that is like this one: every field that is given has this value. */
    toHaveObject(expected: ExpectedObject): T extends Cluster ? Promise<void> : never;
    /** Whether a client has asked the cluster for something; so often, if a number is given. */
    toHaveRequested(scope: RequestScope, times?: number): T extends Cluster ? void : never;
  }
}

export { expect };
