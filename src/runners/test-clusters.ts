import type { AllowedPaths, Cluster, ClusterOptions } from "../index.ts";
import { createCluster } from "../index.ts";

/** What a test file says of the clusters of its tests. */
export interface ClusterTestOptions extends ClusterOptions {
  /** Brings a cluster into the state in which every test of the file finds it; each gets a fork. Default: nothing. */
  readonly prepare?: (cluster: Cluster) => Promise<unknown>;
  /** Paths that clients may ask for though this API does not have them, or patterns; `true` for all. Default: none. */
  readonly allowUnserved?: AllowedPaths;
}

/** The clusters of the tests of one file: forks of one that is made for the first of them. */
export class TestClusters {
  readonly #options: ClusterTestOptions;
  #original: Promise<Cluster> | undefined;

  constructor(options: ClusterTestOptions) {
    this.#options = options;
  }

  /** A cluster for a test. @throws {Error} what the options or their `prepare` throw */
  async fork(): Promise<Cluster> {
    this.#original ??= this.#prepared();
    return (await this.#original).fork();
  }

  /**
   * Closes a cluster whose test is over.
   * @throws {Error} if a fault never struck, or a client asked for what this API does not have
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
