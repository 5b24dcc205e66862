import type { Cluster } from "../index.ts";
import { type Serving, serve } from "../transports/node/serve.ts";
import { KubeconfigFile } from "./kubeconfig-file.ts";

/** What a test file asks for. Everything is made for one test, and gone when it ends. */
export interface TestCluster {
  /**
   * A cluster of the test's own. At its end every fault that was injected must have struck, and clients must have asked
   * for nothing that this API does not have. @throws {Error} outside of a test
   */
  readonly cluster: Cluster;
  /** The cluster on a port, with TLS. */
  server(): Promise<Serving>;
  /** The path of a kubeconfig for the port, for administrators. */
  kubeconfig(): Promise<string>;
}

/** A cluster and its ways in, made when they are asked for. */
export class ClusterOfTest implements TestCluster {
  readonly cluster: Cluster;
  #server: Promise<Serving> | undefined;
  #kubeconfig: KubeconfigFile | undefined;

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  server(): Promise<Serving> {
    this.#server ??= serve(this.cluster);
    return this.#server;
  }

  async kubeconfig(): Promise<string> {
    const server = await this.server();
    this.#kubeconfig ??= new KubeconfigFile(server.kubeconfig());
    return this.#kubeconfig.path;
  }

  /** Takes away its ways in. */
  async close(): Promise<void> {
    this.#kubeconfig?.remove();
    await (await this.#server)?.close();
  }
}
