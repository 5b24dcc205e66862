import { setImmediate as turn } from "node:timers/promises";
import type { ApiResponse } from "../../src/request/handler.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { plainRequest } from "../../src/request/plain-request.ts";
import type { QuietServer } from "./quiet-server.ts";

/** One event of a watch in JSON. */
export interface WatchedEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly metadata: {
      readonly name?: string;
      readonly resourceVersion?: string;
      readonly labels?: { readonly [key: string]: string };
      readonly annotations?: { readonly [key: string]: string };
    };
    readonly data?: { readonly [key: string]: string };
    readonly code?: number;
    readonly reason?: string;
    readonly message?: string;
    /** The events of a watch of Tables. */
    readonly rows?: readonly { readonly object: unknown }[];
  };
}

/** A watch in the same process that is read continuously. */
export class OpenWatch {
  readonly headers: ReadonlyMap<string, string>;
  readonly #client: AbortController;
  readonly #pieces: Uint8Array[] = [];
  #hasEnded = false;

  private constructor(response: ApiResponse, client: AbortController) {
    this.headers = new Map(response.headers.map(([name, value]) => [name.toLowerCase(), value]));
    this.#client = client;
    void this.#read(response.body as AsyncIterable<Uint8Array>);
  }

  /** Opens a watch as administrator, which must return 200. */
  static async open(
    server: QuietServer,
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OpenWatch> {
    const client = new AbortController();
    const all = new Map([
      ["authorization", `Bearer ${server.cluster.adminToken()}`],
      ...Object.entries(headers),
    ]);
    const request = plainRequest({ method: "GET", target, headers: all, signal: client.signal });
    const response = await server.handler(request, inProcessPeer);
    if (response.status !== 200) throw new Error(`the watch returned ${response.status}`);
    return new OpenWatch(response, client);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The bytes received so far, once no more arrive without further action. Removes them. */
  async bytes(): Promise<Uint8Array> {
    for (let turns = 0; turns < 10; turns += 1) await turn();
    return new Uint8Array(Buffer.concat(this.#pieces.splice(0)));
  }

  /** The same as JSON events. */
  async events(): Promise<readonly WatchedEvent[]> {
    const lines = Buffer.from(await this.bytes())
      .toString()
      .split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  leave(): void {
    this.#client.abort();
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of body) this.#pieces.push(piece);
    this.#hasEnded = true;
  }
}

/** Events in short: `ADDED a`, and their other details. */
export function shortly(events: readonly WatchedEvent[]): readonly string[] {
  return events.map(
    ({ type, object }) => `${type} ${object.metadata.name ?? object.metadata.resourceVersion}`,
  );
}

/** The content of the bookmark that ends the initial events: the empty list, in base64. */
export function blueprintOf(event: WatchedEvent | undefined): string {
  return event?.object.metadata.annotations?.["kubernetes.io/initial-events-list-blueprint"] ?? "";
}
