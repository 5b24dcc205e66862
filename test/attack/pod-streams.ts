import { once } from "node:events";
import net from "node:net";
import { type Cluster, createCluster } from "../../src/index.ts";
import { HeaderWriter } from "../../src/streams/spdy/header-blocks.ts";
import { controlFrame, dataFrame, frameTypes } from "../../src/streams/spdy/spdy-frames.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";

/** The protocols in which a client speaks to a pod. */
export type PodProtocol = "WebSocket" | "SPDY";

/** A cluster with a pod on a plain port. */
export async function servedPod(): Promise<{ cluster: Cluster; server: Serving }> {
  const spec = { containers: [{ name: "c", image: "i" }] };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec };
  const cluster = createCluster({ controllers: [], objects: [pod] });
  return { cluster, server: await serve(cluster, { tls: false }) };
}

/** A connection to the pod, in bytes, that the client reads only if it says so. */
export class PodClient {
  readonly socket: net.Socket;
  readonly #headers = new HeaderWriter();

  private constructor(socket: net.Socket) {
    this.socket = socket;
  }

  /** Connects to a subresource of the pod, such as `exec?command=c&stdin=1&stdout=1`. */
  static async open(
    { cluster, server }: Awaited<ReturnType<typeof servedPod>>,
    subresource: string,
    protocol: PodProtocol,
  ): Promise<PodClient> {
    const socket = net.connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    const lines = [
      `GET /api/v1/namespaces/default/pods/web/${subresource} HTTP/1.1`,
      "Host: localhost",
      "Connection: Upgrade",
      `Authorization: Bearer ${cluster.adminToken()}`,
      ...headersOf[protocol],
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const [head] = (await once(socket, "data")) as [Buffer];
    if (!String(head).startsWith("HTTP/1.1 101 ")) throw new Error(String(head));
    socket.pause();
    return new PodClient(socket);
  }

  /** Connects to a command with an input and an output. */
  static async execute(
    served: Awaited<ReturnType<typeof servedPod>>,
    protocol: PodProtocol,
  ): Promise<PodClient> {
    const client = await PodClient.open(served, "exec?command=c&stdin=1&stdout=1", protocol);
    if (protocol === "SPDY")
      for (const [index, type] of ["error", "stdin", "stdout"].entries())
        client.openStream(2 * index + 1, [["streamtype", type]]);
    return client;
  }

  /** Opens a stream of SPDY. */
  openStream(id: number, headers: readonly (readonly [name: string, value: string])[]): void {
    const block = this.#headers.write(headers);
    this.socket.write(controlFrame(frameTypes.synStream, [id, 0], Uint8Array.of(0, 0, ...block)));
  }
}

const headersOf: { readonly [Protocol in PodProtocol]: readonly string[] } = {
  WebSocket: [
    "Upgrade: websocket",
    "Sec-WebSocket-Key: x",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Protocol: v4.channel.k8s.io",
  ],
  SPDY: ["Upgrade: SPDY/3.1"],
};

/** A frame with a piece of stdin, as `PodClient.execute` opens it. */
export function inputFrame(protocol: PodProtocol, payload: Uint8Array): Uint8Array {
  return protocol === "SPDY" ? dataFrame(3, payload, 0) : webSocketFrame(2, Buffer.concat([stdin, payload]));
}

const stdin = Uint8Array.of(0);

/** A frame whose mask changes nothing. */
export function webSocketFrame(opcode: number, payload: Uint8Array): Uint8Array {
  const head = Buffer.alloc(14);
  head.set([0x80 | opcode, 0xff]);
  head.writeBigUInt64BE(BigInt(payload.byteLength), 2);
  return Buffer.concat([head, payload]);
}

/** Resolves when a signal has aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
}
