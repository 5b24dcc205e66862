import type { AllowedPaths, Cluster, ClusterOptions } from "../index.ts";
import { createCluster } from "../index.ts";

/** The options of a test file for the clusters of its tests. */
export interface ClusterTestOptions extends ClusterOptions {
  /** Brings a cluster into the initial state of every test of the file; each test gets a fork. Default: nothing. */
  readonly prepare?: (cluster: Cluster) => Promise<unknown>;
  /** Paths, or patterns, that clients may request although this API does not serve them; `true` for all. Default: none. */
  readonly allowUnserved?: AllowedPaths;
}

/** The clusters of the tests of one file: forks of one cluster that the first test creates. */
export class TestClusters {
  readonly #options: ClusterTestOptions;
  #original: Promise<Cluster> | undefined;

  constructor(options: ClusterTestOptions) {
    this.#options = options;
  }

  /** A cluster for a test. @throws {Error} if the options are invalid or `prepare` throws */
  async fork(): Promise<Cluster> {
    this.#original ??= this.#prepared();
    return (await this.#original).fork();
  }

  /**
   * Closes the cluster of a test that has ended.
   * @throws {Error} if a fault was never used, or a client requested a path that this API does not serve
   */
  async end(cluster: Cluster): Promise<void> {
    await cluster.close();
    const { allowUnserved } = this.#options;
    cluster.check(allowUnserved === undefined ? {} : { allowUnserved });
  }

  async #prepared(): Promise<Cluster> {
    const { prepare, allowUnserved: _, ...options } = this.#options;
    const made = createCluster(options);
    await made.settle();
    await prepare?.(made);
    await made.settle();
    return made;
  }
}
