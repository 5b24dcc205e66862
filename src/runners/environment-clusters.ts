import { ClusterOfTest, type TestCluster } from "./cluster-of-test.ts";
import { type ClusterTestOptions, TestClusters } from "./test-clusters.ts";

declare global {
  /** The cluster of the test, in the environments `kubedouble/jest/environment` and `kubedouble/jest/environment-jsdom`. */
  var kubedouble: TestCluster;
}

/** The relevant events of Jest's runner. */
export interface TestEvent {
  readonly name: string;
  readonly test?: { readonly mode?: string | null | undefined; readonly errors: unknown[] };
}

/** The part of Jest's configuration of an environment that has the options of its clusters. */
export interface EnvironmentConfiguration {
  readonly projectConfig: { readonly testEnvironmentOptions: { readonly [option: string]: unknown } };
}

/** The clusters of the tests in an environment of Jest: the global `kubedouble` of its context is that of the running test. */
export class EnvironmentClusters {
  readonly #clusters: TestClusters;
  readonly #global: object;
  #current: ClusterOfTest | undefined;

  /** `testEnvironmentOptions: { kubedouble }` has the options of the clusters. */
  constructor({ projectConfig }: EnvironmentConfiguration, global: object) {
    const { kubedouble = {} } = projectConfig.testEnvironmentOptions;
    // The options are user input; createCluster reports invalid ones.
    this.#clusters = new TestClusters(kubedouble as ClusterTestOptions);
    this.#global = global;
  }

  /** Gives a test that starts its cluster, and closes that of a test that has ended. */
  async handle({ name, test }: TestEvent): Promise<void> {
    if (name === "test_start" && test?.mode !== "skip" && test?.mode !== "todo") await this.#begin();
    if (name === "test_done" || name === "test_skip" || name === "test_todo")
      await this.#end(test?.errors ?? []);
  }

  async #begin(): Promise<void> {
    const current = new ClusterOfTest(await this.#clusters.fork());
    this.#current = current;
    const given: TestCluster = current;
    Object.assign(this.#global, { kubedouble: given });
  }

  /** Unused faults and unserved requests are errors of the test. */
  async #end(errors: unknown[]): Promise<void> {
    const ended = this.#current;
    if (ended === undefined) return;
    this.#current = undefined;
    Reflect.deleteProperty(this.#global, "kubedouble");
    await ended.close();
    try {
      await this.#clusters.end(ended.cluster);
    } catch (error) {
      errors.push(error);
    }
  }
}
