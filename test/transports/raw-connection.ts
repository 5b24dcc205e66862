import net from "node:net";
import tls from "node:tls";

/** A connection on which a test writes and reads raw bytes. */
export class RawConnection {
  readonly socket: net.Socket;
  received = "";
  readonly closed: Promise<void>;
  #wake: () => void = () => {};

  private constructor(socket: net.Socket) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.on("data", (piece) => {
      this.received += piece.toString("latin1");
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        resolve();
        this.#wake();
      });
    });
  }

  static open(port: number, options?: tls.ConnectionOptions): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket =
        options === undefined
          ? net.connect(port, "127.0.0.1", () => resolve(new RawConnection(socket)))
          : tls.connect({ port, host: "127.0.0.1", ...options }, () => resolve(new RawConnection(socket)));
      socket.once("error", reject);
    });
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Resolves with all received data once it matches, or when the connection closes. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received) && !this.socket.closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.received;
  }

  /** Resolves with all received data when the other side has closed. */
  async toEnd(): Promise<string> {
    await this.closed;
    return this.received;
  }
}
