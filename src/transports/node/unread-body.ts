import type { Incoming } from "./exchange.ts";

/** As much of a request as Go reads on behalf of a handler that did not, to keep the connection. */
const readOutLimit = 256 * 1024;
/** How much is thrown away while the client reads its answer, and how long it may pause before it is cut off. */
const lingerLimit = 16 * 1024 * 1024;
const lingerMilliseconds = 500;

/** Whether so much of a request is left unread that its connection is good for nothing more. */
export function isLeftUnread(message: Incoming): boolean {
  if (message.complete) return false;
  const { "content-length": length, "transfer-encoding": encoding } = message.headers;
  return encoding !== undefined || Number(length ?? 0) > readOutLimit;
}

/**
 * Throws away the rest of a request after its answer has been written. To close at once would reset the connection
 * under a client that still sends, and take the answer away from it.
 */
export function readOut(message: Incoming): Promise<void> {
  const { socket } = message;
  return new Promise((resolve) => {
    let discarded = 0;
    const cutOff = (): void => {
      socket.destroy();
    };
    const settle = (): void => {
      message.off("end", settle);
      message.off("close", settle);
      socket.off("timeout", cutOff);
      resolve();
    };
    if (message.destroyed) {
      resolve();
      return;
    }
    message.on("end", settle);
    message.on("close", settle);
    message.on("data", (piece: Uint8Array) => {
      discarded += piece.byteLength;
      if (discarded > lingerLimit) cutOff();
    });
    message.resume();
    socket.setTimeout(lingerMilliseconds, cutOff);
  });
}
