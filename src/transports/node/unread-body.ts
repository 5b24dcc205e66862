import type { Incoming } from "./exchange.ts";

/** How much of an unread request body Go reads to keep the connection. */
const readOutLimit = 256 * 1024;
/** How much is discarded while the client reads its answer, and how long it may pause before it is disconnected. */
const lingerLimit = 16 * 1024 * 1024;
const lingerMilliseconds = 500;

/** Whether too much of a request is unread to reuse its connection. */
export function isLeftUnread(message: Incoming): boolean {
  if (message.complete) return false;
  const { "content-length": length, "transfer-encoding": encoding } = message.headers;
  return encoding !== undefined || Number(length ?? 0) > readOutLimit;
}

/**
 * Discards the rest of a request after its answer. Closing at once would reset the connection of a client that is still
 * sending, and lose the answer.
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
