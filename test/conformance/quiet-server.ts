import { setImmediate as turn } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import type { ApiResponse } from "../../src/request/handler.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { plainRequest, readResponseBody } from "../../src/request/plain-request.ts";

/** What is sent, as raw as a handler takes it. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** What came back, whole. */
export interface RawAnswer {
  readonly status: number;
  /** By name in lower case; the values of one that stands there repeatedly are joined, as HTTP has it. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body, decompressed. */
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** A server whose time passes only when somebody waits for it, so that nothing in a test does. */
export class QuietServer {
  readonly #clock = new VirtualClock(Date.UTC(2026, 10, 20));
  readonly cluster: Cluster;

  constructor(options: ClusterOptions = {}) {
    this.cluster = createCluster({ clock: this.#clock, seed: 1, controllers: [], ...options });
  }

  /** Asks as administrator, unless the headers say otherwise. Of a watch, the answer is what comes at once. */
  async ask({ method, target, headers = {}, body = "" }: RawRequest): Promise<RawAnswer> {
    const all = new Map([["authorization", `Bearer ${this.cluster.adminToken()}`]]);
    for (const [name, value] of Object.entries(headers)) all.set(name.toLowerCase(), value);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const client = new AbortController();
    const request = plainRequest({ method, target, headers: all, body: bytes, signal: client.signal });
    const response = await this.#settle(this.cluster.handler(request, inProcessPeer));
    return this.#received(response, client);
  }

  /** A JSON answer to a GET. */
  async read(target: string): Promise<unknown> {
    return JSON.parse((await this.ask({ method: "GET", target })).text);
  }

  /** The revision of the whole store. */
  async revision(): Promise<string> {
    const { text } = await this.ask({ method: "GET", target: "/api/v1/namespaces?limit=1" });
    return JSON.parse(text).metadata.resourceVersion;
  }

  /** Lets time pass: `"5m"`. */
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

  /** What a stream says before it waits; then its client leaves, and it has to end. */
  async #beginning(body: AsyncIterable<Uint8Array>, client: AbortController): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    const reading = (async () => {
      for await (const piece of body) pieces.push(piece);
    })();
    for (let turns = 0; turns < 3; turns += 1) await turn();
    client.abort();
    await reading;
    return new Uint8Array(Buffer.concat(pieces));
  }

  /** Lets time pass until somebody who waits for it is done. */
  async #settle<T>(waiting: Promise<T>): Promise<T> {
    let isDone = false;
    const done = waiting.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (;;) {
      for (let turns = 0; turns < 50 && !isDone; turns += 1) await turn();
      if (isDone) return done;
      await this.#clock.advance(1000);
    }
  }
}

function isStream(body: ApiResponse["body"]): body is AsyncIterable<Uint8Array> {
  return body !== undefined && Symbol.asyncIterator in body;
}
