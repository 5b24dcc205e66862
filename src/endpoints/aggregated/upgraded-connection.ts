import { derivedBody } from "../../request/response-stream.ts";

/** The connection to a server that has taken up another protocol. */
export interface UpgradedSocket extends AsyncIterable<Uint8Array> {
  write(piece: Uint8Array): boolean;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "drain" | "close", listener: () => void): void;
  off(event: "drain" | "close", listener: () => void): void;
  destroySoon(): void;
}

/**
 * What a server says after its head. `sent` goes to the server at its pace; the end of either direction ends both, as in upstream
 * (apimachinery, pkg/util/proxy/upgradeaware.go).
 */
export function upgradedConnection(
  socket: UpgradedSocket,
  head: Uint8Array,
  sent: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  // A reader of the connection gets its errors.
  socket.on("error", () => {});
  send(sent, socket).catch(() => socket.destroySoon());
  return derivedBody(received(socket, head), () => socket.destroySoon());
}

async function* received(socket: UpgradedSocket, head: Uint8Array): AsyncGenerator<Uint8Array> {
  if (head.byteLength > 0) yield head;
  yield* socket;
}

async function send(sent: AsyncIterable<Uint8Array>, socket: UpgradedSocket): Promise<void> {
  for await (const piece of sent) {
    if (!socket.write(piece)) await drained(socket);
  }
  socket.destroySoon();
}

/** Resolves when the server has read what was written, or has closed the connection. */
export function drained(writing: Pick<UpgradedSocket, "off"> & DrainEvents): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      writing.off("drain", go);
      writing.off("close", go);
      resolve();
    };
    writing.on("drain", go);
    writing.on("close", go);
  });
}

interface DrainEvents {
  on(event: "drain" | "close", listener: () => void): void;
}
