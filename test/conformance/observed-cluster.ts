import type { Cluster, UserOptions } from "../../src/index.ts";
import type { ApiRequest, ApiResponseBody, Handler } from "../../src/request/handler.ts";
import type { Served } from "../../src/transports/contract/served.ts";

/** A cluster that counts its open streams. */
export class ObservedCluster implements Served {
  readonly cluster: Cluster;
  #open = 0;
  #drop = new AbortController();
  #wake: (() => void)[] = [];

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  /** Streams of responses whose source has not ended. */
  get openStreams(): number {
    return this.#open;
  }

  adminToken(): string {
    return this.cluster.adminToken();
  }

  token(name: string, options?: UserOptions): string {
    return this.cluster.token(name, options);
  }

  readonly handler: Handler = async (request, peer) => {
    const answer = await this.cluster.handler(this.#droppable(request), peer);
    return { ...answer, body: this.#observed(answer.body) };
  };

  /** Ends every watch, like a server that closes its connections. */
  dropWatches(): void {
    this.#drop.abort();
    this.#drop = new AbortController();
  }

  #droppable(request: ApiRequest): ApiRequest {
    if (!request.target.includes("watch=")) return request;
    const { method, target, headers, body } = request;
    return { method, target, headers, body, signal: AbortSignal.any([request.signal, this.#drop.signal]) };
  }

  /** Resolves when every stream has ended on the server. */
  async allEnded(): Promise<void> {
    while (this.#open > 0) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  #observed(body: ApiResponseBody): ApiResponseBody {
    if (body === undefined || !(Symbol.asyncIterator in body)) return body;
    const source = body[Symbol.asyncIterator]();
    this.#open += 1;
    let isOpen = true;
    const end = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#open -= 1;
      for (const wake of this.#wake.splice(0)) wake();
    };
    const iterator: AsyncIterator<Uint8Array> = {
      next: async () => {
        try {
          const result = await source.next();
          if (result.done) end();
          return result;
        } catch (error) {
          end();
          throw error;
        }
      },
      return: async () => {
        // A generator releases its watch before this resolves.
        await source.return?.();
        end();
        return { done: true, value: undefined };
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }
}
