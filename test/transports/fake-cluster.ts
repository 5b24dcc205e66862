import type { UserOptions } from "../../src/apimachinery/user-info.ts";
import {
  type ApiRequest,
  type ApiResponse,
  type ApiResponseBody,
  BodyTooLargeError,
  BrokenBodyError,
} from "../../src/request/handler.ts";
import type { Peer } from "../../src/request/peer.ts";
import type { Served } from "../../src/transports/contract/served.ts";

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Every value of a byte, 12,288 times: 3 MiB. */
export const everyByte: Uint8Array = Uint8Array.from({ length: 256 }, (_, value) => value);
export const threeMebibytes: Uint8Array = Uint8Array.from(
  { length: 3 * 1024 * 1024 },
  (_, index) => index % 251,
);
const limit = 3 * 1024 * 1024;

/** A stream that a test feeds, and whose end it can observe. */
export class Feed implements AsyncIterable<Uint8Array> {
  readonly signal: AbortSignal;
  /** The number of calls of `return()`. */
  returns = 0;
  /** The number of chunks that have been taken. */
  taken = 0;
  readonly #queue: (Uint8Array | "end" | Error)[] = [];
  #wake: () => void = () => {};
  #left: () => void = () => {};
  /** Resolves when the transport has released the stream. */
  readonly left: Promise<void> = new Promise((resolve) => {
    this.#left = resolve;
  });

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  push(item: Uint8Array | "end" | Error): void {
    this.#queue.push(item);
    this.#wake();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        for (;;) {
          const item = this.#queue.shift();
          if (item instanceof Error) throw item;
          if (item === "end" || this.returns > 0) return { done: true, value: undefined };
          if (item !== undefined) {
            this.taken++;
            return { done: false, value: item };
          }
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      },
      return: async () => {
        this.returns++;
        this.#wake();
        this.#left();
        return { done: true, value: undefined };
      },
    };
  }
}

/** A cluster for the tests of a transport, and the requests it has received. */
export class FakeCluster implements Served {
  /** Streams by path, in the order they were opened. */
  readonly feeds: Feed[] = [];
  readonly requests: ApiRequest[] = [];
  readonly peers: Peer[] = [];
  /** The number of chunks taken from an endless stream. */
  pulled = 0;
  /** The signals of requests that got no response. */
  readonly hanging: AbortSignal[] = [];

  adminToken(): string {
    return "secret";
  }

  token(name: string, { groups = [] }: UserOptions = {}): string {
    return `secret of ${[name, ...groups].join(" ")}`;
  }

  readonly handler = async (request: ApiRequest, peer: Peer): Promise<ApiResponse> => {
    this.requests.push(request);
    this.peers.push(peer);
    const route = /^\/([a-z-]*)/.exec(request.target)?.[1];
    switch (route) {
      case "echo":
        return this.#echo(request);
      case "status":
        return answer(Number(/\d+/.exec(request.target)?.[0]), encode("{}\n"));
      case "warnings":
        return answer(200, encode("{}"), ['299 - "one"', '299 - "two, and more"', '299 - "dréi ✓"']);
      case "nothing":
        return answer(200, undefined);
      case "no-content":
        return { status: 204, headers: [], body: undefined };
      case "every-byte":
        return answer(200, everyByte);
      case "large":
        return answer(200, threeMebibytes);
      case "pieces":
        return answer(200, piecesOf(threeMebibytes));
      case "feed":
        return answer(200, this.#open(request.signal));
      case "chunked":
        return { status: 200, headers: [["Transfer-Encoding", "chunked"]], body: this.#open(request.signal) };
      case "endless":
        return answer(200, this.#endless());
      case "hang":
        return this.#hang(request.signal);
      default:
        return answer(404, encode("404 page not found\n"));
    }
  };

  async #echo(request: ApiRequest): Promise<ApiResponse> {
    try {
      const body = await request.body(limit);
      const values = request.headers.getAll("X-Sent");
      const headers: [string, string][] = [
        ["X-Method", request.method],
        ["X-Target", request.target],
        ["X-First", request.headers.get("x-sent") ?? "absent"],
        ...values.map((value): [string, string] => ["X-Every", value]),
      ];
      return { status: 200, headers, body };
    } catch (error) {
      if (error instanceof BodyTooLargeError) return answer(413, encode("too large"));
      if (error instanceof BrokenBodyError) return answer(500, encode(error.message));
      throw error;
    }
  }

  #open(signal: AbortSignal): Feed {
    const feed = new Feed(signal);
    this.feeds.push(feed);
    return feed;
  }

  async *#endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.pulled++;
      yield new Uint8Array(64 * 1024);
    }
  }

  #hang(signal: AbortSignal): Promise<ApiResponse> {
    this.hanging.push(signal);
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(answer(200, undefined)));
    });
  }
}

function answer(status: number, body: ApiResponseBody, warnings: readonly string[] = []): ApiResponse {
  return {
    status,
    headers: [
      ["Audit-Id", "fixed"],
      ["Content-Type", "application/json"],
      ...warnings.map((warning): [string, string] => ["Warning", warning]),
    ],
    body,
  };
}

function piecesOf(whole: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < whole.byteLength; start += 1000)
    pieces.push(whole.subarray(start, start + 1000));
  return pieces;
}
