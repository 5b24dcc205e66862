import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/** The bytes of a PING frame, and of the answer to it. */
const pingLength = 17;

/** The bytes that a session had read and written when it was last asked for a PING. */
interface Asked {
  readonly read: number;
  readonly written: number;
  readonly time: "first" | "second";
}

/**
 * Finds out whether Node still serves an HTTP/2 session. After most violations of the protocol, nghttp2 sends GOAWAY, ignores
 * all data that follows and sends nothing more. Node then neither reads the connection nor closes it, and does not learn that
 * its client has left. Such a session does not send a PING either.
 *
 * | bytes read | written | what follows |
 * | --- | --- | --- |
 * | 0 | 0 | nothing: no client has sent anything that could break the session |
 * | 93 | 50 | a PING |
 * | 93 or 110 | 67 | nothing: 93 bytes, and the answer of 17, have not broken the session |
 * | 112 | 67 | a PING |
 * | 112 | 67 | the session is broken |
 *
 * A GOAWAY has as many bytes as a PING, so that a client that does not answer the first PING is sent a second one: a session that breaks
 * in between sends no more than that GOAWAY.
 */
export class SessionCheck {
  readonly session: ServerHttp2Session;
  readonly #socket: Socket | undefined;
  #asked: Asked | undefined;
  /** The number of bytes that have not broken the session. */
  #harmless = 0;

  /** @param socket The socket below TLS. */
  constructor(session: ServerHttp2Session, socket: Socket | undefined) {
    this.session = session;
    this.#socket = socket;
  }

  /** Whether the session is found to be broken. The next call finds it out if this one sends a PING. */
  isBroken(): boolean {
    // A session that the server closes itself takes no PING, and ends with its streams. The socket of an ended one is gone.
    if (this.session.closed || this.session.destroyed) return false;
    const { bytesRead: read, bytesWritten: written } = this.session.socket;
    if (read === this.#harmless) return false;
    const asked = this.#asked;
    if (asked === undefined || read !== asked.read) return !this.#ask({ read, written, time: "first" });
    if (written === asked.written) return !isBlocked(this.#socket);
    if (asked.time === "first") return !this.#ask({ read, written, time: "second" });
    this.#harmless = read;
    return false;
  }

  /** Sends a PING. Returns whether it could: Node sends no more than ten that the client does not answer. */
  #ask(asked: Asked): boolean {
    this.#asked = asked;
    return this.session.ping((error) => {
      if (error === null) this.#harmless = asked.read + pingLength;
    });
  }
}

/** Whether the client does not take what was written. Node has no public API for what HTTP/2 writes. */
function isBlocked(socket: Socket | undefined): boolean {
  const handle: unknown = socket && Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return false;
  return Number(Reflect.get(handle, "writeQueueSize")) > 0;
}
