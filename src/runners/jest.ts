import type { Cluster, RequestScope } from "../index.ts";
import {
  type ExpectedObject,
  type MatcherResult,
  toHaveObject,
  toHaveRequested,
} from "./cluster-matchers.ts";
import { ClusterOfTest, type TestCluster } from "./cluster-of-test.ts";
import type { SharedServer } from "./shared-server.ts";
import { sharedServerVariable } from "./shared-variable.ts";
import { type ClusterTestOptions, TestClusters } from "./test-clusters.ts";

/** What Jest puts into the world of a test file. */
interface JestGlobals {
  readonly beforeEach?: (hook: () => Promise<void>) => void;
  readonly afterEach?: (hook: () => Promise<void>) => void;
  readonly expect?: { extend(matchers: typeof clusterMatchers): void };
}

// What is not there is undefined.
const globals = globalThis as JestGlobals;

/**
 * Gives each test of a file, or of the `describe` it is called in, a cluster of its own:
 * `const double = useCluster({ objects }); test("...", async () => { await double.cluster.create(pod); })`.
 * @throws {Error} where Jest's globals are not, as in its global setup or with `injectGlobals: false`
 */
export function useCluster(options: ClusterTestOptions = {}): TestCluster {
  const { beforeEach, afterEach } = globals;
  if (beforeEach === undefined || afterEach === undefined) {
    throw new Error("useCluster is for test files in which Jest has its globals: beforeEach and afterEach");
  }
  const clusters = new TestClusters(options);
  let current: ClusterOfTest | undefined;
  beforeEach(async () => {
    current = new ClusterOfTest(await clusters.fork());
  });
  afterEach(async () => {
    const ended = current;
    current = undefined;
    await ended?.close();
    if (ended !== undefined) await clusters.end(ended.cluster);
  });
  const now = (): ClusterOfTest => {
    if (current === undefined)
      throw new Error("a cluster is there while a test runs: ask for it inside of one");
    return current;
  };
  return {
    get cluster() {
      return now().cluster;
    },
    server: async () => now().server(),
    kubeconfig: async () => now().kubeconfig(),
  };
}

/**
 * The server that `kubedouble/jest/global-setup` has started for all workers. What one test writes, others see.
 * @throws {Error} if there is none
 */
export function sharedServer(): SharedServer {
  const text = process.env[sharedServerVariable];
  if (text === undefined) {
    throw new Error(
      'no server is shared; in the configuration of Jest: globalSetup: "kubedouble/jest/global-setup"',
    );
  }
  // Written by the global setup.
  return JSON.parse(text) as SharedServer;
}

/** For `expect.extend`, which is done where Jest has its globals. */
export const clusterMatchers: {
  toHaveObject(cluster: Cluster, expected: ExpectedObject): Promise<MatcherResult>;
  toHaveRequested(cluster: Cluster, scope: RequestScope, times?: number): MatcherResult;
} = { toHaveObject, toHaveRequested };

globals.expect?.extend(clusterMatchers);

declare global {
  namespace jest {
    // With the same parameters as in the types of Jest.
    interface Matchers<R, T> {
      /** Whether the cluster has an object that is like this one: every field that is given has this value. */
      toHaveObject(expected: ExpectedObject): Promise<R>;
      /** Whether a client has asked the cluster for something; so often, if a number is given. */
      toHaveRequested(scope: RequestScope, times?: number): R;
    }
  }
}
