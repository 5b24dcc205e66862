import { TestEnvironment as NodeEnvironment } from "jest-environment-node";
import { ClusterOfTest, type TestCluster } from "./cluster-of-test.ts";
import { type ClusterTestOptions, TestClusters } from "./test-clusters.ts";

/** The events of Jest's runner that matter here. */
interface TestEvent {
  readonly name: string;
  readonly test?: { readonly mode?: string | null | undefined; readonly errors: unknown[] };
}

type Configuration = ConstructorParameters<typeof NodeEnvironment>;

/**
 * Jest's environment for Node in which each test has a cluster of its own, without a line in the test file: the global
 * `kubedouble` has what `useCluster` gives. The cluster lives outside of the test's world, whose fake timers do not move
 * its time. Its options, as far as JSON can say them, are `testEnvironmentOptions: { kubedouble: { release: "1.31" } }`.
 */
// biome-ignore lint/style/noDefaultExport: what Jest makes an instance of
export default class ClusterEnvironment extends NodeEnvironment {
  readonly #clusters: TestClusters;
  #current: ClusterOfTest | undefined;

  constructor(...[config, context]: Configuration) {
    super(config, context);
    const { kubedouble = {} } = config.projectConfig.testEnvironmentOptions;
    // What the user has written; createCluster says what is wrong with it.
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

  /** What a test leaves behind that it should not is an error of that test. */
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
