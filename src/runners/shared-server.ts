import { keepCompiledCode } from "../transports/node/compile-cache.ts";
import { type Serving, serve } from "../transports/node/serve.ts";
import { KubeconfigFile } from "./kubeconfig-file.ts";
import { type ClusterTestOptions, TestClusters } from "./test-clusters.ts";

/** The address of the server that workers share. */
export interface SharedServer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** The path of a kubeconfig for administrators. */
  readonly kubeconfig: string;
}

/** A server that is started before the workers of a run, and stopped after them. Tests see each other's writes. */
export class RunServer {
  readonly #server: Serving;
  readonly #kubeconfig: KubeconfigFile;
  readonly #stop: () => Promise<void>;

  private constructor(server: Serving, stop: () => Promise<void>) {
    this.#server = server;
    this.#kubeconfig = new KubeconfigFile(server.kubeconfig());
    this.#stop = stop;
  }

  static async start(options: ClusterTestOptions): Promise<RunServer> {
    keepCompiledCode();
    const cluster = await new TestClusters(options).fork();
    const server = await serve(cluster);
    return new RunServer(server, () => cluster.close());
  }

  get shared(): SharedServer {
    return { url: this.#server.url, kubeconfig: this.#kubeconfig.path };
  }

  /** Also ends open connections of clients. */
  async stop(): Promise<void> {
    this.#kubeconfig.remove();
    await this.#server.close();
    await this.#stop();
  }
}
