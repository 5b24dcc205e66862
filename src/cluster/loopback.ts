import type { Handler } from "../request/handler.ts";

/**
 * The connection of the server's own clients, which are parts of the server: admission plugins, the registry and the
 * controllers. It exists before they do. Requests wait, as in the backlog of a socket, until the server accepts them.
 */
export class Loopback {
  #server: Handler | undefined;
  readonly #backlog: ((server: Handler) => void)[] = [];

  readonly handler: Handler = (request, peer) =>
    this.#server === undefined
      ? this.#accepted().then((server) => server(request, peer))
      : this.#server(request, peer);

  /** Answers waiting and future requests. */
  serve(server: Handler): void {
    this.#server = server;
    for (const accept of this.#backlog.splice(0)) accept(server);
  }

  #accepted(): Promise<Handler> {
    return new Promise((resolve) => {
      this.#backlog.push(resolve);
    });
  }
}
