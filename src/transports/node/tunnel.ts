import type { Socket } from "node:net";
import type { ApiResponse } from "../../request/handler.ts";
import { BodyReader } from "../contract/body-reader.ts";
import type { UpgradeConnection } from "./upgrade.ts";

/** What the client sends on a connection that another server has. */
export async function* sentOn({ socket, head }: UpgradeConnection): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* socket;
}

/**
 * Gives the connection to another server: its head, then whatever it says. The connection ends with the stream, and the stream with
 * the connection. Upstream: apimachinery, pkg/util/proxy/upgradeaware.go.
 */
export async function tunnel(
  headers: ApiResponse["headers"],
  body: AsyncIterable<Uint8Array>,
  { socket }: UpgradeConnection,
): Promise<void> {
  const lines = ["HTTP/1.1 101 Switching Protocols", ...headers.map(([name, value]) => `${name}: ${value}`)];
  const reader = new BodyReader(body);
  socket.once("close", () => reader.release());
  try {
    socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      if (!socket.write(next.value)) await drained(socket);
    }
  } finally {
    reader.release();
    socket.destroySoon();
  }
}

/** Resolves when the connection has taken what was written, or is closed. No listener stays: a long stream waits many times. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    // A destroyed socket is closed in a later turn of the event loop, which must come.
    if (socket.closed) {
      resolve();
      return;
    }
    socket.on("drain", done);
    socket.on("close", done);
  });
}
