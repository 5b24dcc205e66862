import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection that sends bytes as they are and only counts what comes: a client shall cost next to nothing. */
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

  /** What comes next, after `request` if there is one. */
  async next(request = ""): Promise<string> {
    if (request !== "") this.#socket.write(request);
    const [piece] = await once(this.#socket, "data");
    return String(piece);
  }

  /** Resolves when so many bytes more have come. */
  receives(length: number): Promise<void> {
    this.#wanted = this.#received + length;
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wanted = Number.POSITIVE_INFINITY;
        resolve();
      };
    });
  }

  /** Sends the same request again and again, each when the one before is answered with so many bytes. */
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
