import { setImmediate as turn } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import type { ApiResponse, Handler } from "../../src/request/handler.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { plainRequest, readResponseBody } from "../../src/request/plain-request.ts";
import { codeLoaded } from "./code-loading.ts";
import { behindMasks, identifiers } from "./masked-names.ts";

/** A request, as raw as a handler receives it. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** A complete response. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; repeated headers are joined, as in HTTP. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body, decompressed. */
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** A server whose time advances only while a test waits, so that no test has to. */
export class QuietServer {
  readonly #clock = new VirtualClock(Date.UTC(2026, 10, 20));
  readonly cluster: Cluster;
  /** The cluster as the test sees it: with real names, whichever the cluster has. */
  readonly handler: Handler;

  constructor(options: ClusterOptions = {}) {
    this.cluster = createCluster({ clock: this.#clock, seed: 1, controllers: [], identifiers, ...options });
    this.handler = identifiers === "svc" ? behindMasks(this.cluster.handler) : this.cluster.handler;
  }

  /** Sends a request as administrator, unless the headers differ. For a watch, returns what arrives immediately. */
  async ask({ method, target, headers = {}, body = "" }: RawRequest): Promise<RawAnswer> {
    const all = new Map([["authorization", `Bearer ${this.cluster.adminToken()}`]]);
    for (const [name, value] of Object.entries(headers)) all.set(name.toLowerCase(), value);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const client = new AbortController();
    const request = plainRequest({ method, target, headers: all, body: bytes, signal: client.signal });
    const response = await this.#settle(this.handler(request, inProcessPeer));
    return this.#received(response, client);
  }

  /** The JSON response to a GET. */
  async read(target: string): Promise<unknown> {
    return JSON.parse((await this.ask({ method: "GET", target })).text);
  }

  /** The revision of the whole store. */
  async revision(): Promise<string> {
    const { text } = await this.ask({ method: "GET", target: "/api/v1/namespaces?limit=1" });
    return JSON.parse(text).metadata.resourceVersion;
  }

  /** Advances the time: `"5m"`. */
  pass(duration: string): Promise<void> {
    return this.#clock.advance(duration);
  }

  async #received({ status, headers, body }: ApiResponse, client: AbortController): Promise<RawAnswer> {
    const bytes = isStream(body) ? await this.#beginning(body, client) : await readResponseBody(body);
    const names = new Map<string, string>();
    for (const [name, value] of headers) {
      const before = names.get(name.toLowerCase());
      names.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
    }
    const plain = names.get("content-encoding") === "gzip" ? gunzipSync(bytes) : bytes;
    return { status, headers: names, bytes: plain, text: new TextDecoder().decode(plain) };
  }

  /** What a stream sends before it waits; then its client disconnects, and the stream must end. */
  async #beginning(body: AsyncIterable<Uint8Array>, client: AbortController): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    const reading = (async () => {
      for await (const piece of body) pieces.push(piece);
    })();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    client.abort();
    await reading;
    return new Uint8Array(Buffer.concat(pieces));
  }

  /** Advances the time until the pending work is done. */
  async #settle<T>(waiting: Promise<T>): Promise<T> {
    let isDone = false;
    const done = waiting.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (;;) {
      for (let turns = 0; turns < 50 && !isDone; turns += 1) await turn();
      if (isDone) return done;
      // Requests have deadlines, which must not pass while code loads.
      await codeLoaded();
      if (isDone) return done;
      await this.#clock.advance(1000);
    }
  }
}

function isStream(body: ApiResponse["body"]): body is AsyncIterable<Uint8Array> {
  return body !== undefined && Symbol.asyncIterator in body;
}
