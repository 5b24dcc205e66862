import { once } from "node:events";
import net from "node:net";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "./web-socket.ts";

const opened: net.Socket[] = [];
const servers: net.Server[] = [];

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Both ends of a connection. */
async function connection(): Promise<{ client: net.Socket; socket: net.Socket }> {
  const server = net.createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const accepted = once(server, "connection");
  const client = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const [socket] = await accepted;
  opened.push(client, socket);
  for (const end of [client, socket]) end.on("error", () => {});
  return { client, socket };
}

/** A frame of a client whose mask changes nothing. */
function frame(opcode: number, payload: string): Buffer {
  return Buffer.concat([Buffer.of(0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0), Buffer.from(payload)]);
}

/** Sends the same frames until the other end does not read any more; fails if it always does. */
async function sendUntilPaused(client: net.Socket, socket: net.Socket, frames: Buffer): Promise<void> {
  for (let sent = 0; !socket.isPaused(); sent += frames.byteLength) {
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    if (client.write(frames)) await new Promise<void>((resolve) => setImmediate(resolve));
    else await Promise.race([once(client, "drain"), once(socket, "pause")]);
  }
}

test.each([
  ["empty", ""],
  ["short", "x"],
])("a client that sends %s messages waits for their reader", async (_title, payload) => {
  const { client, socket } = await connection();
  const webSocket = new WebSocket(socket, new Uint8Array(), "queued");
  await sendUntilPaused(client, socket, Buffer.concat(Array.from({ length: 1000 }, () => frame(2, payload))));
  let read = 0;
  for await (const message of webSocket.received) {
    expect(message.byteLength).toBe(payload.length);
    read++;
    if (!socket.isPaused()) break;
  }
  expect(read).toBeLessThan(10_000);
});

test("a client that does not take the answers to its pings is not read, and goes on once it takes them", async () => {
  const { client, socket } = await connection();
  new WebSocket(socket, new Uint8Array(), "ignored");
  client.pause();
  const pings = Buffer.concat(Array.from({ length: 1000 }, () => frame(9, "p".repeat(100))));
  await sendUntilPaused(client, socket, pings);
  client.resume();
  await once(socket, "resume");
});

test("the answer to a ping has its first 125 bytes", async () => {
  const { client, socket } = await connection();
  new WebSocket(socket, new Uint8Array(), "ignored");
  const long = Buffer.concat([Buffer.of(0x89, 0xfe, 0, 200, 0, 0, 0, 0), Buffer.alloc(200, "p")]);
  client.write(long);
  const [answer] = await once(client, "data");
  expect([...answer.subarray(0, 2), answer.byteLength]).toEqual([0x8a, 125, 127]);
});

test("what a client sends after the end is dropped, and its connection ends", async () => {
  const { client, socket } = await connection();
  const webSocket = new WebSocket(socket, new Uint8Array(), "queued");
  webSocket.close();
  client.write(frame(2, "late"));
  await once(socket, "data");
  const messages: Uint8Array[] = [];
  for await (const message of webSocket.received) messages.push(message);
  expect(messages).toEqual([]);
  // The client never closes its side.
  await once(socket, "close");
});
