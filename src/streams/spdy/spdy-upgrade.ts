import { realTimeout } from "../../apimachinery/clock.ts";
import type { ApiResponse } from "../../request/handler.ts";
import { derivedBody } from "../../request/response-stream.ts";
import type { ConnectionRequest } from "../connection-request.ts";
import { type AcceptStream, SpdyConnection } from "./spdy-connection.ts";

const protocolHeader = "X-Stream-Protocol-Version";
/** How long the client has to close a connection that the server has ended. */
const closingMilliseconds = 2000;

/** How a client and the server agree on a version of the streams: the chosen one, or the refusal. */
export type Negotiated = { readonly protocol: string } | { readonly refusal: ApiResponse };

/**
 * Agrees on a version. A client that names none gets the oldest, which `""` stands for. Upstream: apimachinery, pkg/util/httpstream,
 * Handshake.
 */
export function negotiated({ headers }: ConnectionRequest, served: readonly string[]): Negotiated {
  const offered = headers
    .getAll(protocolHeader)
    .flatMap((value) => value.split(","))
    .map((value) => value.trim());
  if (offered.length === 0) return { protocol: "" };
  const protocol = offered.find((one) => served.includes(one));
  if (protocol !== undefined) return { protocol };
  const problem = `client supports [${offered.map(quoted).join(" ")}], server accepts [${served.map(quoted).join(" ")}]`;
  const refusal = textResponse(403, `unable to upgrade: unable to negotiate protocol: ${problem}\n`);
  const accepted = served.map((one) => ["X-Accepted-Stream-Protocol-Versions", one] as const);
  return { refusal: { ...refusal, headers: [...refusal.headers, ...accepted] } };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Plain text, as Go's `http.Error` writes it. */
export function textResponse(status: number, text: string): ApiResponse {
  const headers = [
    ["Content-Type", "text/plain; charset=utf-8"],
    ["X-Content-Type-Options", "nosniff"],
  ] as const;
  return { status, headers, body: new TextEncoder().encode(text) };
}

/**
 * Takes the client's connection for SPDY/3.1. `serve` works on it until its result resolves. Upstream: apimachinery,
 * pkg/util/httpstream/spdy/upgrade.go.
 */
export function upgradeToSpdy(
  request: ConnectionRequest,
  protocol: string,
  accept: AcceptStream,
  serve: (connection: SpdyConnection, left: Promise<void>) => Promise<void>,
): ApiResponse {
  if (request.headers.get("upgrade")?.toLowerCase() !== "spdy/3.1") {
    return textResponse(400, "unable to upgrade: missing upgrade headers in request\n");
  }
  if (request.connection === undefined) {
    return textResponse(500, "unable to upgrade: unable to hijack response\n");
  }
  const version = protocol === "" ? [] : [[protocolHeader, protocol] as const];
  return {
    status: 101,
    headers: [["Connection", "Upgrade"], ["Upgrade", "SPDY/3.1"], ...version],
    body: spdyBytes(request.connection(), accept, serve),
  };
}

/** The same on bytes that something else carries: what the server says. */
export function spdyBytes(
  received: AsyncIterable<Uint8Array>,
  accept: AcceptStream,
  serve: (connection: SpdyConnection, left: Promise<void>) => Promise<void>,
): AsyncIterable<Uint8Array> {
  const connection = new SpdyConnection(received, accept);
  const left = connection.serve();
  void serve(connection, left).finally(() => connection.goAway());
  return derivedBody(bytesUntil(connection, left), () => connection.abandon());
}

/** Gives the client time to read the end and to close: closing first would reset the connection and lose what is on its way. */
async function* bytesUntil(connection: SpdyConnection, left: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* connection.sent;
  let stop = () => {};
  const late = new Promise<void>((resolve) => {
    const timer = realTimeout(closingMilliseconds, resolve);
    stop = () => timer.cancel();
  });
  await Promise.race([left, late]);
  stop();
}
