import { unfaked } from "../../apimachinery/clock.ts";
import type { Exchange, Incoming } from "./exchange.ts";

const startTimeout = unfaked(setTimeout, "setTimeout");
const stopTimeout = unfaked(clearTimeout, "clearTimeout");

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
 * Discards what a client still sends after its answer: the rest of its body, or data that is not HTTP. Closing at once would
 * reset the connection of a client that is still sending, and lose the answer.
 */
export function readOut({ message, isLast }: Exchange): Promise<void> {
  const { socket } = message;
  return new Promise((resolve) => {
    let discarded = 0;
    const cutOff = (): void => {
      socket.destroy();
    };
    const settle = (): void => {
      stopTimeout(limit);
      message.off("end", settle);
      socket.off("end", settle);
      socket.off("close", settle);
      socket.off("timeout", cutOff);
      resolve();
    };
    if (socket.destroyed) {
      resolve();
      return;
    }
    // Data that is not HTTP has no end.
    const limit = isLast ? startTimeout(settle, lingerMilliseconds) : undefined;
    if (isLast) socket.on("end", settle);
    else message.on("end", settle);
    socket.on("close", settle);
    message.on("data", (piece: Uint8Array) => {
      discarded += piece.byteLength;
      if (discarded > lingerLimit) cutOff();
    });
    message.resume();
    socket.setTimeout(lingerMilliseconds, cutOff);
  });
}
