import { utf8Bytes } from "../apimachinery/utf8.ts";
import type { WebSocketConversation } from "../request/handler.ts";
import { derivedBody } from "../request/response-stream.ts";
import { type ChannelProtocol, conversation, messageOn, readMessage } from "./channels.ts";
import { Pipe } from "./pipe.ts";
import type { PortForwarder } from "./port-forward.ts";

/**
 * Forwards ports over a WebSocket: each port has a channel for data and one for an error, which both begin with the number of the port.
 * Upstream: pkg/kubelet/cri/streaming/portforward/websocket.go.
 */
export function webSocketPortForward(
  forward: PortForwarder,
  ports: readonly number[],
  protocol: ChannelProtocol,
  signal: AbortSignal,
): WebSocketConversation {
  return conversation(protocol, (received) => {
    const out = new Pipe();
    const inputs = ports.map(() => new Pipe());
    const leave = () => {
      for (const input of inputs) input.discard();
      out.discard();
    };
    void distribute(received, inputs, protocol).finally(() => {
      for (const input of inputs) input.end();
    });
    void forwardAll({ forward, ports, protocol, signal }, inputs, out).finally(() => out.end());
    return derivedBody(piecesOf(out), leave);
  });
}

async function* piecesOf(out: Pipe): AsyncGenerator<Uint8Array> {
  yield* out;
}

async function distribute(
  received: AsyncIterable<Uint8Array>,
  inputs: readonly Pipe[],
  protocol: ChannelProtocol,
): Promise<void> {
  try {
    for await (const message of received) {
      const { channel, payload } = readMessage(message, protocol) ?? { channel: -1, payload: message };
      if (channel % 2 === 0) await inputs[channel / 2]?.receive(payload);
    }
  } catch {
    // The connection is gone.
  }
}

interface Forwarded {
  readonly forward: PortForwarder;
  readonly ports: readonly number[];
  readonly protocol: ChannelProtocol;
  readonly signal: AbortSignal;
}

async function forwardAll(
  { forward, ports, protocol, signal }: Forwarded,
  inputs: readonly Pipe[],
  out: Pipe,
): Promise<void> {
  const serving = [...inputs.entries()].map(async ([index, received]) => {
    const port = ports[index] ?? 0;
    const send = (channel: number, payload: Uint8Array) => out.write(messageOn(channel, payload, protocol));
    const name = Uint8Array.of(port & 0xff, port >> 8);
    await send(2 * index, name);
    await send(2 * index + 1, name);
    const problem = await forward({ port, received, write: (piece) => send(2 * index, piece), signal });
    received.discard();
    if (problem !== undefined) await send(2 * index + 1, utf8Bytes(problem));
  });
  await Promise.all(serving);
}
