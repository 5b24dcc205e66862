import type { Cluster } from "../index.ts";
import { type Serving, type ServingKubeconfigOptions, serve } from "../transports/node/serve.ts";
import { KubeconfigFile } from "./kubeconfig-file.ts";

/** The cluster of a test. Everything is created for one test and removed when it ends. */
export interface TestCluster {
  /**
   * The test's own cluster. At the end of the test, every injected fault must have been used, and clients must have
   * requested only paths that this API serves. @throws {Error} outside a test
   */
  readonly cluster: Cluster;
  /** The cluster on a port, with TLS. */
  server(): Promise<Serving>;
  /** The path of a kubeconfig for the port: of an administrator, or of the given user. */
  kubeconfig(options?: ServingKubeconfigOptions): Promise<string>;
}

/** A cluster with its server and kubeconfig, which are created on demand. */
export class ClusterOfTest implements TestCluster {
  readonly cluster: Cluster;
  #server: Promise<Serving> | undefined;
  readonly #kubeconfigs = new Map<string, KubeconfigFile>();

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  server(): Promise<Serving> {
    this.#server ??= serve(this.cluster);
    return this.#server;
  }

  /** Several calls for the same user return the same file. */
  async kubeconfig(options: ServingKubeconfigOptions = {}): Promise<string> {
    const server = await this.server();
    const key = JSON.stringify(options);
    const known = this.#kubeconfigs.get(key);
    if (known !== undefined) return known.path;
    const file = new KubeconfigFile(server.kubeconfig(options));
    this.#kubeconfigs.set(key, file);
    return file.path;
  }

  /** Closes the server and removes the kubeconfigs. */
  async close(): Promise<void> {
    for (const kubeconfig of this.#kubeconfigs.values()) kubeconfig.remove();
    await (await this.#server)?.close();
  }
}
