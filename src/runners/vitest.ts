import { test as base, expect, type TestAPI } from "vitest";
import type {
  AdmissionReport,
  Cluster,
  RequestScope,
  RoleManifests,
  RoleUser,
  WaitOptions,
} from "../index.ts";
import { type Serving, type ServingKubeconfigOptions, serve } from "../transports/node/serve.ts";
import { type ExpectedDenial, toBeAdmitted, toBeDenied } from "./admission-matchers.ts";
import {
  type Expectation,
  type ExpectedObject,
  toBeLeastPrivilege,
  toEventuallyHaveObject,
  toHaveObject,
  toHaveRequested,
} from "./cluster-matchers.ts";
import { type ExpectedCondition, toHaveCondition } from "./condition-matcher.ts";
import { KubeconfigFile } from "./kubeconfig-file.ts";
import type { SharedServer } from "./shared-server.ts";
import { type ClusterTestOptions, TestClusters } from "./test-clusters.ts";

/** The fixtures of a test; created if the test names them, and removed when it ends. */
export interface ClusterFixtures {
  /**
   * The test's own cluster. At the end of the test, every injected fault must have been used, and clients must have
   * requested only paths that this API serves.
   */
  readonly cluster: Cluster;
  /** The cluster on a port, with TLS. */
  readonly server: Serving;
  /** The path of a kubeconfig for the port, for administrators. */
  readonly kubeconfig: string;
  /** Writes a kubeconfig for a user of the port and returns its path: `kubeconfigFor({ user: "alice" })`. */
  readonly kubeconfigFor: (options: ServingKubeconfigOptions) => string;
}

/**
 * Vitest's `test` with a cluster for each test:
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
    kubeconfig: async ({ kubeconfigFor }, use) => use(kubeconfigFor({})),
    kubeconfigFor: async ({ server }, use) => {
      const files: KubeconfigFile[] = [];
      await use((options) => {
        const file = new KubeconfigFile(server.kubeconfig(options));
        files.push(file);
        return file.path;
      });
      for (const file of files) file.remove();
    },
  });
}

/** `test` with a new cluster for each test. */
export const test: TestAPI<ClusterFixtures> = clusterTest();

expect.extend({
  toHaveObject: (cluster: Cluster, expected: ExpectedObject) => toHaveObject(cluster, expected),
  toEventuallyHaveObject(
    this: Expectation,
    cluster: Cluster,
    expected: ExpectedObject,
    options: WaitOptions = {},
  ) {
    return toEventuallyHaveObject(cluster, expected, options, this);
  },
  toHaveRequested: (cluster: Cluster, scope: RequestScope, times?: number) =>
    toHaveRequested(cluster, scope, times),
  toBeLeastPrivilege: (cluster: Cluster, roles: RoleManifests, options: RoleUser = {}) =>
    toBeLeastPrivilege(cluster, roles, options),
  toHaveCondition: (object: unknown, type: string, expected: ExpectedCondition = {}) =>
    toHaveCondition(object, type, expected),
  toBeAdmitted: (report: AdmissionReport) => toBeAdmitted(report),
  toBeDenied: (report: AdmissionReport, expected: ExpectedDenial = {}) => toBeDenied(report, expected),
});

declare module "vitest" {
  interface ProvidedContext {
    /** The server of `kubedouble/vitest/global-setup`, if one is shared. */
    kubedouble: SharedServer;
  }
  interface Matchers<T> {
    /** Passes if the cluster has the object and every given field has this value. */
    toHaveObject(expected: ExpectedObject): T extends Cluster ? Promise<void> : never;
    /** Waits until the cluster has the object and every given field has this value; negated, until it has not. */
    toEventuallyHaveObject(
      expected: ExpectedObject,
      options?: WaitOptions,
    ): T extends Cluster ? Promise<void> : never;
    /** Passes if a client has sent a matching request; with `times`, exactly that many. */
    toHaveRequested(scope: RequestScope, times?: number): T extends Cluster ? void : never;
    /**
     * Passes if roles allow what the requests of a user needed, and nothing else: manifests of Roles, ClusterRoles and their
     * bindings. The message names what is missing and what is never used.
     */
    toBeLeastPrivilege(roles: RoleManifests, options?: RoleUser): T extends Cluster ? Promise<void> : never;
    /** Passes if the object has this condition in its status, with the status `True` unless another is given. */
    toHaveCondition(type: string, expected?: ExpectedCondition): T extends Cluster ? never : void;
    /** Passes if the cluster admits what `cluster.admit` sent. */
    toBeAdmitted(): T extends AdmissionReport ? void : never;
    /** Passes if admission denies what `cluster.admit` sent, and every given member matches. */
    toBeDenied(expected?: ExpectedDenial): T extends AdmissionReport ? void : never;
  }
}

export { expect };
