import { type Address, shownAddress } from "../webhooks/address.ts";
import type { PortConnection } from "./port-connection.ts";

/** What is used of Node's module for sockets; Deno and Bun have it, too. */
interface NodeNet {
  connect(options: { readonly host: string; readonly port: number }): NodeSocket;
}

interface NodeSocket extends AsyncIterable<Uint8Array> {
  readonly destroyed: boolean;
  on(event: "error" | "connect" | "drain" | "close", listener: (error: Error) => void): void;
  write(piece: Uint8Array): boolean;
  end(): void;
  destroy(): void;
}

interface NodeGlobal {
  readonly process?: { readonly getBuiltinModule?: (name: string) => NodeNet | undefined };
}

/**
 * Forwards a connection to a server that the test names, at the pace of both sides.
 * @throws {Error} in Go's words, if the server cannot be reached
 */
export async function connectTo(address: Address, connection: PortConnection): Promise<void> {
  // The types of the core know no runtime.
  const net = (globalThis as NodeGlobal).process?.getBuiltinModule?.("node:net");
  if (net === undefined) throw new Error("this runtime cannot reach an address; give a function instead");
  const socket = net.connect(address);
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", () => resolve());
    socket.on("error", () =>
      reject(new Error(`dial tcp ${shownAddress(address).host}: connect: connection refused`)),
    );
  });
  const leave = () => socket.destroy();
  connection.signal.addEventListener("abort", leave, { once: true });
  const sending = send(connection.received, socket);
  try {
    for await (const piece of socket) await connection.write(piece);
  } catch {
    // A server that resets the connection has ended it.
  } finally {
    connection.signal.removeEventListener("abort", leave);
    connection.received.discard();
    socket.destroy();
    await sending;
  }
}

/** Sends what the client sends, and its end. */
async function send(received: AsyncIterable<Uint8Array>, socket: NodeSocket): Promise<void> {
  let wake = () => {};
  socket.on("drain", () => wake());
  socket.on("close", () => wake());
  for await (const piece of received) {
    if (socket.destroyed) return;
    if (socket.write(piece)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  if (!socket.destroyed) socket.end();
}
