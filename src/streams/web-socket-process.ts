import { utf8Bytes } from "../apimachinery/utf8.ts";
import type { WebSocketConversation } from "../request/handler.ts";
import { derivedBody } from "../request/response-stream.ts";
import { type ChannelProtocol, channels, conversation, messageOn, readMessage } from "./channels.ts";
import { ended, terminalSizes } from "./container-streams.ts";
import { Pipe } from "./pipe.ts";
import type { Process } from "./process.ts";
import { statusText } from "./process-status.ts";

/** What a client asks for: `stdin`, `stdout`, `stderr` and `tty` of the options. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/**
 * Runs a process over a WebSocket: one message on the first channel for output says that the connection is there, and one on the channel
 * for errors how the process ended. Upstream: pkg/kubelet/cri/streaming/remotecommand/websocket.go.
 */
export function webSocketProcess(
  process: Process,
  wanted: WantedStreams,
  protocol: ChannelProtocol,
  signal: AbortSignal,
): WebSocketConversation {
  return conversation(protocol, (received) => {
    const client = new ClientChannels(wanted, protocol);
    const out = new Pipe();
    const leave = () => {
      client.end();
      out.discard();
    };
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    void client.follow(received).finally(() => client.end());
    void out.write(messageOn(firstChannel(wanted), new Uint8Array(), protocol));
    void run(process, { client, out, wanted, protocol, signal });
    return derivedBody(piecesOf(out), () => {
      signal.removeEventListener("abort", leave);
      leave();
    });
  });
}

async function* piecesOf(out: Pipe): AsyncGenerator<Uint8Array> {
  yield* out;
}

interface RunningProcess {
  readonly client: ClientChannels;
  readonly out: Pipe;
  readonly wanted: WantedStreams;
  readonly protocol: ChannelProtocol;
  readonly signal: AbortSignal;
}

async function run(
  process: Process,
  { client, out, wanted, protocol, signal }: RunningProcess,
): Promise<void> {
  const writerTo = (channel: number) => ({
    write: (piece: Uint8Array) => out.write(messageOn(channel, piece, protocol)),
  });
  const end = await process({
    stdin: client.stdin,
    stdout: wanted.stdout ? writerTo(channels.stdout) : undefined,
    stderr: wanted.stderr && !wanted.tty ? writerTo(channels.stderr) : undefined,
    resize: terminalSizes(client.sizes),
    signal,
  });
  const text = statusText(end, protocol.hasStatus ? "status" : "text");
  if (text !== "") void out.write(messageOn(channels.error, utf8Bytes(text), protocol));
  out.end();
  client.end();
}

function firstChannel({ stdout, stderr, tty }: WantedStreams): number {
  if (stdout) return channels.stdout;
  return stderr && !tty ? channels.stderr : channels.error;
}

/** What comes from the client, by channel. */
class ClientChannels {
  readonly stdin: Pipe;
  readonly sizes: Pipe;
  readonly #protocol: ChannelProtocol;

  constructor({ stdin, tty }: WantedStreams, protocol: ChannelProtocol) {
    this.stdin = stdin ? new Pipe() : ended();
    this.sizes = tty ? new Pipe() : ended();
    this.#protocol = protocol;
  }

  /** A process that does not read holds the client up. */
  async follow(received: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const message of received) await this.#take(message);
    } catch {
      // The connection is gone, which the process learns from the end of its input.
    }
  }

  end(): void {
    this.stdin.end();
    this.sizes.end();
  }

  async #take(message: Uint8Array): Promise<void> {
    const { channel, payload } = readMessage(message, this.#protocol) ?? { channel: -1, payload: message };
    if (channel === channels.close && this.#protocol.hasClose) {
      if (payload.byteLength === 1 && payload[0] === channels.stdin) this.stdin.end();
    } else if (channel === channels.stdin) await this.stdin.receive(payload);
    else if (channel === channels.resize) await this.sizes.receive(payload);
  }
}
