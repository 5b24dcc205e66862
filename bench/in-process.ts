import { type Cluster, type ClusterOptions, createCluster } from "../src/index.ts";
import type { ApiResponse } from "../src/request/handler.ts";
import { inProcessPeer } from "../src/request/peer.ts";
import { plainRequest, readResponseBody } from "../src/request/plain-request.ts";
import { pod } from "./pod.ts";

export const pods = "/api/v1/namespaces/default/pods";
const encoder = new TextEncoder();

/** A cluster that a user, by default an administrator, calls without a transport. */
export class InProcess {
  readonly cluster: Cluster;
  readonly #authorization: string;

  constructor(cluster: Cluster, token: string = cluster.adminToken()) {
    this.cluster = cluster;
    this.#authorization = `Bearer ${token}`;
  }

  /** A cluster whose controllers have created what pods need. */
  static async ready(options: ClusterOptions = {}): Promise<InProcess> {
    const inProcess = new InProcess(createCluster(options));
    await inProcess.ask("GET", "/api");
    await inProcess.cluster.settle();
    return inProcess;
  }

  /** @throws {Error} if the server refuses the request */
  async ask(
    method: string,
    target: string,
    body?: Uint8Array,
    contentType = "application/json",
  ): Promise<ApiResponse> {
    const headers = new Map([
      ["authorization", this.#authorization],
      ["accept", "application/json"],
      ["content-type", contentType],
      ["user-agent", "bench/1.0"],
    ]);
    const request = plainRequest({ method, target, headers, ...(body && { body }) });
    const answer = await this.cluster.handler(request, inProcessPeer);
    if (answer.status >= 400) throw new Error(new TextDecoder().decode(await readResponseBody(answer.body)));
    return answer;
  }

  async read(target: string): Promise<string> {
    return new TextDecoder().decode(await readResponseBody((await this.ask("GET", target)).body));
  }

  /** Creates `count` pods of about 2.7 kB each. `labelsOf` returns the labels of each. */
  async fill(
    count: number,
    labelsOf: (index: number) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<void> {
    for (let index = 0; index < count; index++) {
      const name = `shop-backend-5d69f6c8b4-${String(index).padStart(6, "0")}`;
      await this.ask("POST", pods, encoder.encode(JSON.stringify(pod(name, labelsOf(index)))));
    }
  }
}
