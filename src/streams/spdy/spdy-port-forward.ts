import { realTimeout } from "../../apimachinery/clock.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { utf8Bytes } from "../../apimachinery/utf8.ts";
import type { ApiResponse, WebSocketConversation } from "../../request/handler.ts";
import type { ConnectionRequest } from "../connection-request.ts";
import type { PortForwarder } from "../port-forward.ts";
import type { SpdyStream } from "./spdy-connection.ts";
import { negotiated, spdyBytes, upgradeToSpdy } from "./spdy-upgrade.ts";

const version = "portforward.k8s.io";
/** The subprotocol of a WebSocket that carries SPDY. */
export const tunnelProtocol: string = `SPDY/3.1+${version}`;
/** How long a client has to open the second stream of a connection. */
const creationMilliseconds = 30_000;
/** As many connections as wait for their second stream. A client that resets the first one opens ever more. */
const mostWaiting = 1000;

/** Forwards ports over SPDY: each connection has a stream for data and one for an error. */
export function spdyPortForward(forward: PortForwarder, request: ConnectionRequest): ApiResponse {
  const negotiation = negotiated(request, [version]);
  if ("refusal" in negotiation) return negotiation.refusal;
  const pairs = new StreamPairs(forward, request.signal);
  return upgradeToSpdy(request, negotiation.protocol, pairs.accept, (_connection, left) => pairs.until(left));
}

/** The same over a WebSocket, whose messages are pieces of the bytes of SPDY. Upstream: pkg/kubelet and apiserver, portforward tunneling. */
export function tunneledPortForward(
  forward: PortForwarder,
  { signal }: ConnectionRequest,
): WebSocketConversation {
  const pairs = new StreamPairs(forward, signal);
  return {
    protocol: tunnelProtocol,
    type: "binary",
    messages: (received) => spdyBytes(received, pairs.accept, (_connection, left) => pairs.until(left)),
  };
}

/** Pairs the streams of connections by their request. Upstream: pkg/kubelet/cri/streaming/portforward/httpstream.go. */
class StreamPairs {
  readonly #forward: PortForwarder;
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<string, { readonly stream: SpdyStream; readonly stop: () => void }>();

  constructor(forward: PortForwarder, signal: AbortSignal) {
    this.#forward = forward;
    this.#signal = signal;
  }

  /** @throws {Error} for a stream without a port or a type, and if too many wait */
  readonly accept = (stream: SpdyStream, replied: Promise<void>): void => {
    const type = stream.headers.get("streamtype") ?? "";
    portOf(stream.headers.get("port") ?? "");
    if (type === "") throw new Error('"streamType" header is required');
    if (type !== "error" && type !== "data") throw new Error(`invalid stream type ${goQuote(type)}`);
    const request = stream.headers.get("requestid") ?? String(type === "error" ? stream.id : stream.id - 2);
    const first = this.#waiting.get(request);
    if (first === undefined) {
      if (this.#waiting.size >= mostWaiting) throw new Error("too many connections without a second stream");
      this.#wait(request, stream);
      return;
    }
    if (first.stream.headers.get("streamtype") === type) throw new Error(`${type} stream already assigned`);
    first.stop();
    this.#waiting.delete(request);
    const [data, errors] = type === "data" ? [stream, first.stream] : [first.stream, stream];
    void replied.then(() => this.#serve(data, errors));
  };

  /** Resolves when the client has left. */
  async until(left: Promise<void>): Promise<void> {
    await left;
    for (const { stop } of this.#waiting.values()) stop();
    this.#waiting.clear();
  }

  #wait(request: string, stream: SpdyStream): void {
    const timer = realTimeout(creationMilliseconds, () => {
      this.#waiting.delete(request);
      stream.reset();
    });
    this.#waiting.set(request, { stream, stop: () => timer.cancel() });
  }

  async #serve(data: SpdyStream, errors: SpdyStream): Promise<void> {
    const problem = await this.#forward({
      port: portOf(data.headers.get("port") ?? ""),
      received: data.received,
      write: (piece) => data.write(piece),
      // A client resets the stream of a connection that has ended on its side (client-go, tools/portforward).
      signal: AbortSignal.any([this.#signal, data.signal]),
    });
    if (problem !== undefined) await errors.write(utf8Bytes(problem));
    // What the client still sends is dropped, so that it does not hold up other connections.
    data.received.discard();
    data.close();
    errors.close();
  }
}

/** @throws {Error} for text that is not a port */
function portOf(text: string): number {
  if (text === "") throw new Error('"port" header is required');
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Error(`unable to parse ${goQuote(text)} as a port`);
  if (Number(text) === 0) throw new Error(`port ${goQuote(text)} must be > 0`);
  return Number(text);
}
