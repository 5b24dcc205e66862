import type {
  AdmissionReport,
  Cluster,
  RequestScope,
  RoleManifests,
  RoleUser,
  WaitOptions,
} from "../index.ts";
import { type ExpectedDenial, toBeAdmitted, toBeDenied } from "./admission-matchers.ts";
import {
  type Expectation,
  type ExpectedObject,
  type MatcherResult,
  toBeLeastPrivilege,
  toEventuallyHaveObject,
  toHaveObject,
  toHaveRequested,
} from "./cluster-matchers.ts";
import { ClusterOfTest, type TestCluster } from "./cluster-of-test.ts";
import { type ExpectedCondition, toHaveCondition } from "./condition-matcher.ts";
import type { SharedServer } from "./shared-server.ts";
import { sharedServerVariable } from "./shared-variable.ts";
import { type ClusterTestOptions, TestClusters } from "./test-clusters.ts";

/** The globals that Jest defines in a test file. */
interface JestGlobals {
  readonly beforeEach?: (hook: () => Promise<void>) => void;
  readonly afterEach?: (hook: () => Promise<void>) => void;
  readonly expect?: { extend(matchers: typeof clusterMatchers): void };
}

// Missing globals are undefined.
const globals = globalThis as JestGlobals;

/**
 * Gives each test of a file, or of the enclosing `describe`, its own cluster:
 * `const double = useCluster({ objects }); test("...", async () => { await double.cluster.create(pod); })`.
 * @throws {Error} without Jest's globals, such as in its global setup or with `injectGlobals: false`
 */
export function useCluster(options: ClusterTestOptions = {}): TestCluster {
  const { beforeEach, afterEach } = globals;
  if (beforeEach === undefined || afterEach === undefined) {
    throw new Error(
      "useCluster needs Jest's globals beforeEach and afterEach: call it in a test file, without injectGlobals: false",
    );
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
      throw new Error("the cluster exists only while a test runs: use it inside a test");
    return current;
  };
  return {
    get cluster() {
      return now().cluster;
    },
    server: async () => now().server(),
    kubeconfig: async (options) => now().kubeconfig(options),
  };
}

/**
 * The server that `kubedouble/jest/global-setup` has started for all workers. Tests see each other's writes.
 * @throws {Error} if no server is shared
 */
export function sharedServer(): SharedServer {
  const text = process.env[sharedServerVariable];
  if (text === undefined) {
    throw new Error(
      'there is no shared server: add globalSetup: "kubedouble/jest/global-setup" to the configuration of Jest',
    );
  }
  // Written by the global setup.
  return JSON.parse(text) as SharedServer;
}

/** For `expect.extend`, which is called if Jest's globals exist. */
export const clusterMatchers: {
  toHaveObject(cluster: Cluster, expected: ExpectedObject): Promise<MatcherResult>;
  toEventuallyHaveObject(
    this: Expectation,
    cluster: Cluster,
    expected: ExpectedObject,
    options?: WaitOptions,
  ): Promise<MatcherResult>;
  toHaveRequested(cluster: Cluster, scope: RequestScope, times?: number): MatcherResult;
  toBeLeastPrivilege(cluster: Cluster, roles: RoleManifests, options?: RoleUser): Promise<MatcherResult>;
  toHaveCondition(object: unknown, type: string, expected?: ExpectedCondition): MatcherResult;
  toBeAdmitted(report: AdmissionReport): MatcherResult;
  toBeDenied(report: AdmissionReport, expected?: ExpectedDenial): MatcherResult;
} = {
  toHaveObject,
  toEventuallyHaveObject(cluster, expected, options = {}) {
    return toEventuallyHaveObject(cluster, expected, options, this);
  },
  toHaveRequested,
  toBeLeastPrivilege(cluster, roles, options = {}) {
    return toBeLeastPrivilege(cluster, roles, options);
  },
  toHaveCondition,
  toBeAdmitted,
  toBeDenied,
};

globals.expect?.extend(clusterMatchers);

declare global {
  namespace jest {
    // With the same type parameters as in Jest's own declaration.
    interface Matchers<R, T> {
      /** Passes if the cluster has the object and every given field has this value. */
      toHaveObject(expected: ExpectedObject): Promise<R>;
      /** Waits until the cluster has the object and every given field has this value; negated, until it has not. */
      toEventuallyHaveObject(expected: ExpectedObject, options?: WaitOptions): Promise<R>;
      /** Passes if a client has sent a matching request; with `times`, exactly that many. */
      toHaveRequested(scope: RequestScope, times?: number): R;
      /**
       * Passes if roles allow what the requests of a user needed, and nothing else: manifests of Roles, ClusterRoles and their
       * bindings. The message names what is missing and what is never used.
       */
      toBeLeastPrivilege(roles: RoleManifests, options?: RoleUser): Promise<R>;
      /** Passes if the object has this condition in its status, with the status `True` unless another is given. */
      toHaveCondition(type: string, expected?: ExpectedCondition): R;
      /** Passes if the cluster admits what `cluster.admit` sent. */
      toBeAdmitted(): R;
      /** Passes if admission denies what `cluster.admit` sent, and every given member matches. */
      toBeDenied(expected?: ExpectedDenial): R;
    }
  }
}

// The `expect` of `@jest/globals`. Where the package manager hides this dependency of Jest, there is nothing to extend.
// biome-ignore lint/suspicious/noTsIgnore: it is an error only where the module is hidden
/** @ts-ignore */
declare module "expect" {
  // With the same type parameters as in Jest's own declaration.
  interface Matchers<R extends void | Promise<void>, T = unknown> {
    /** Passes if the cluster has the object and every given field has this value. */
    toHaveObject(expected: ExpectedObject): Promise<R>;
    /** Waits until the cluster has the object and every given field has this value; negated, until it has not. */
    toEventuallyHaveObject(expected: ExpectedObject, options?: WaitOptions): Promise<R>;
    /** Passes if a client has sent a matching request; with `times`, exactly that many. */
    toHaveRequested(scope: RequestScope, times?: number): R;
    /**
     * Passes if roles allow what the requests of a user needed, and nothing else: manifests of Roles, ClusterRoles and their
     * bindings. The message names what is missing and what is never used.
     */
    toBeLeastPrivilege(roles: RoleManifests, options?: RoleUser): Promise<R>;
    /** Passes if the object has this condition in its status, with the status `True` unless another is given. */
    toHaveCondition(type: string, expected?: ExpectedCondition): R;
    /** Passes if the cluster admits what `cluster.admit` sent. */
    toBeAdmitted(): R;
    /** Passes if admission denies what `cluster.admit` sent, and every given member matches. */
    toBeDenied(expected?: ExpectedDenial): R;
  }
}
