import { TestEnvironment as NodeEnvironment } from "jest-environment-node";
import { EnvironmentClusters, type TestEvent } from "./environment-clusters.ts";

type Configuration = ConstructorParameters<typeof NodeEnvironment>;

/**
 * Jest's environment for Node in which each test has its own cluster, without code in the test file: the global
 * `kubedouble` is what `useCluster` returns. The cluster lives outside the context of the test, so fake timers do not
 * advance its time. Pass options that JSON can express as `testEnvironmentOptions: { kubedouble: { release: "1.31" } }`.
 */
// biome-ignore lint/style/noDefaultExport: Jest creates an instance of the default export
export default class ClusterEnvironment extends NodeEnvironment {
  readonly #clusters: EnvironmentClusters;

  constructor(...[config, context]: Configuration) {
    super(config, context);
    this.#clusters = new EnvironmentClusters(config, this.global);
  }

  /** Called by Jest, which waits for it. */
  async handleTestEvent(event: TestEvent): Promise<void> {
    await this.#clusters.handle(event);
  }
}
