import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection that sends raw bytes and only counts the bytes it receives, so the client costs almost nothing. */
export class RawClient {
  readonly #socket: Socket;
  #received = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (piece) => {
      this.#received += piece.length;
      if (this.#received >= this.#wanted) this.#wake();
    });
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new RawClient(socket);
  }

  /** The next piece that arrives, after `request` if there is one. */
  async next(request = ""): Promise<string> {
    if (request !== "") this.#socket.write(request);
    const [piece] = await once(this.#socket, "data");
    return String(piece);
  }

  /** Resolves when this many more bytes have arrived. */
  receives(length: number): Promise<void> {
    this.#wanted = this.#received + length;
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wanted = Number.POSITIVE_INFINITY;
        resolve();
      };
    });
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
