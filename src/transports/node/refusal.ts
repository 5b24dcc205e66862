import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers";
import { unfaked } from "../../apimachinery/clock.ts";

const startTimeout = unfaked(setTimeout, "setTimeout");
/** How long a client may take to read a refusal, in milliseconds. Source: Go, net/http/server.go, `rstAvoidanceDelay`. */
const readMilliseconds = 500;

/** What a client gets instead of an answer if no handler may see its message. The connection closes after it. */
export interface Refusal {
  readonly code: number;
  /** What follows the code in the status line. */
  readonly phrase: string;
  readonly text: string;
}

/** Go writes the whole status as the text. */
export function refusal(code: number, phrase: string, text: string = `${code} ${phrase}`): Refusal {
  return { code, phrase, text };
}

export const badRequest: Refusal = refusal(400, "Bad Request");
export const unsupportedVersion: Refusal = refusal(
  505,
  "HTTP Version Not Supported: unsupported protocol version",
);
export const unsupportedEncoding: Refusal = refusal(501, "Not Implemented", "Unsupported transfer encoding");

const contentType = ["Content-Type", "text/plain; charset=utf-8"] as const;
const close = ["Connection", "close"] as const;

/** Sends a refusal and closes the connection. Source: Go, net/http/server.go, `conn.serve`. */
export function sendRefusal({ code, phrase, text }: Refusal, socket: Socket): void {
  const lines = [`HTTP/1.1 ${code} ${phrase}`, contentType.join(": "), close.join(": ")];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`, "latin1");
  // A client that goes on sending would otherwise be reset before it has read the refusal.
  startTimeout(() => socket.destroy(), readMilliseconds).unref();
}

/** Sends a refusal as a response, which waits for those to earlier requests of the connection. */
export function respondRefusal({ code, phrase, text }: Refusal, response: ServerResponse): void {
  response.sendDate = false;
  response.removeHeader("Content-Length");
  response.removeHeader("Transfer-Encoding");
  response.writeHead(code, phrase, [...contentType, ...close]);
  response.end(text);
}
