import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";

const newline = 0x0a;
const brace = 0x7d;

/** A connection that sends raw bytes and only counts what it receives, so the client costs almost nothing. */
export class RawClient {
  readonly #socket: Socket;
  readonly #countOf: (piece: Uint8Array) => number;
  #received = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #wake: () => void = () => {};

  private constructor(socket: Socket, countOf: (piece: Uint8Array) => number) {
    this.#socket = socket;
    this.#countOf = countOf;
    socket.on("data", (piece) => {
      this.#received += this.#countOf(piece);
      if (this.#received >= this.#wanted) this.#wake();
    });
  }

  static async open(
    port: number,
    security: "plain" | "tls",
    counts: keyof typeof counters,
  ): Promise<RawClient> {
    const options = { port, host: "127.0.0.1" };
    const isSecure = security === "tls";
    const socket = isSecure
      ? connectSecurely({ ...options, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] })
      : connect(options);
    await once(socket, isSecure ? "secureConnect" : "connect");
    socket.setNoDelay(true);
    return new RawClient(socket, counters[counts]());
  }

  /** The next piece that arrives, after `request` if there is one. */
  async next(request = ""): Promise<string> {
    if (request !== "") this.#socket.write(request);
    const [piece] = await once(this.#socket, "data");
    return String(piece);
  }

  /** The length of the answer to a request: what arrives until nothing more does for a while. */
  async lengthOf(request: string): Promise<number> {
    const before = this.#received;
    this.#socket.write(request);
    for (let last = -1; last !== this.#received || last === before; ) {
      last = this.#received;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return this.#received - before;
  }

  /** Resolves when this many more bytes or events have arrived. */
  receives(count: number): Promise<void> {
    this.#wanted = this.#received + count;
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wanted = Number.POSITIVE_INFINITY;
        resolve();
      };
    });
  }

  /** Sends a request and waits for the next answer, if it counts answers. */
  answer(request: string): Promise<void> {
    const answered = this.receives(1);
    this.#socket.write(request);
    return answered;
  }

  /** Repeats the same request, each time after the previous response of `length` bytes. */
  async repeat(request: string, length: number, times: number): Promise<void> {
    for (let index = 0; index < times; index++) {
      const answered = this.receives(length);
      this.#socket.write(request);
      await answered;
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** What a client counts: bytes, events of a watch, or small answers, which arrive in one or two pieces. */
export const counters = {
  bytes: () => (piece: Uint8Array) => piece.byteLength,
  events: eventCounter,
  answers: () => (piece: Uint8Array) => Number(piece[0] === head[0] && piece[4] === head[4]),
} as const;

const head = Buffer.from("HTTP/1.1");

/** Counts JSON documents that end with a brace and a newline. */
function eventCounter(): (piece: Uint8Array) => number {
  let last: number | undefined;
  return (piece) => {
    let count = 0;
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) {
      if ((at === 0 ? last : piece[at - 1]) === brace) count++;
    }
    last = piece[piece.byteLength - 1];
    return count;
  };
}
