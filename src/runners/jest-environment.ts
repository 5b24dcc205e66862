import { TestEnvironment as NodeEnvironment } from "jest-environment-node";
import { ClusterOfTest, type TestCluster } from "./cluster-of-test.ts";
import { type ClusterTestOptions, TestClusters } from "./test-clusters.ts";

declare global {
  /** The cluster of the test, in the environment `kubedouble/jest/environment`. */
  var kubedouble: TestCluster;
}

/** The relevant events of Jest's runner. */
interface TestEvent {
  readonly name: string;
  readonly test?: { readonly mode?: string | null | undefined; readonly errors: unknown[] };
}

type Configuration = ConstructorParameters<typeof NodeEnvironment>;

/**
 * Jest's environment for Node in which each test has its own cluster, without code in the test file: the global
 * `kubedouble` is what `useCluster` returns. The cluster lives outside the context of the test, so fake timers do not
 * advance its time. Pass options that JSON can express as `testEnvironmentOptions: { kubedouble: { release: "1.31" } }`.
 */
// biome-ignore lint/style/noDefaultExport: Jest creates an instance of the default export
export default class ClusterEnvironment extends NodeEnvironment {
  readonly #clusters: TestClusters;
  #current: ClusterOfTest | undefined;

  constructor(...[config, context]: Configuration) {
    super(config, context);
    const { kubedouble = {} } = config.projectConfig.testEnvironmentOptions;
    // The options are user input; createCluster reports invalid ones.
    this.#clusters = new TestClusters(kubedouble as ClusterTestOptions);
  }

  /** Called by Jest, which waits for it. */
  async handleTestEvent({ name, test }: TestEvent): Promise<void> {
    if (name === "test_start" && test?.mode !== "skip" && test?.mode !== "todo") await this.#begin();
    if (name === "test_done" || name === "test_skip" || name === "test_todo")
      await this.#end(test?.errors ?? []);
  }

  async #begin(): Promise<void> {
    const current = new ClusterOfTest(await this.#clusters.fork());
    this.#current = current;
    const given: TestCluster = current;
    Object.assign(this.global, { kubedouble: given });
  }

  /** Unused faults and unserved requests are errors of the test. */
  async #end(errors: unknown[]): Promise<void> {
    const ended = this.#current;
    if (ended === undefined) return;
    this.#current = undefined;
    Reflect.deleteProperty(this.global, "kubedouble");
    await ended.close();
    try {
      await this.#clusters.end(ended.cluster);
    } catch (error) {
      errors.push(error);
    }
  }
}
