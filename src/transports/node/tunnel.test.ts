import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { tunnel } from "./tunnel.ts";

/** The two ends of a connection. */
async function connected() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const client = connect(address.port, "127.0.0.1");
  const [socket]: Socket[] = await once(server, "connection");
  if (socket === undefined) throw new Error("there is no connection");
  return { server, client, socket };
}

test("a stream that waits for its client again and again leaves no listeners behind", async () => {
  const { server, client, socket } = await connected();
  const listeners: number[] = [];
  async function* body() {
    for (let piece = 0; piece < 100; piece++) {
      listeners.push(socket.listenerCount("close"));
      yield new Uint8Array(256 * 1024);
    }
  }
  const sent = tunnel([], body(), { socket, head: new Uint8Array() });
  let received = 0;
  for await (const piece of client) received += piece.length;
  await sent;
  expect(received).toBeGreaterThan(100 * 256 * 1024);
  expect(new Set(listeners).size).toBe(1);
  server.close();
});

test("a client that leaves while the stream waits ends the stream", async () => {
  const { server, client, socket } = await connected();
  let hasEnded = false;
  async function* body() {
    try {
      while (true) yield new Uint8Array(1024 * 1024);
    } finally {
      hasEnded = true;
    }
  }
  client.pause();
  const sent = tunnel([], body(), { socket, head: new Uint8Array() });
  socket.on("error", () => {});
  setImmediate(() => client.destroy());
  await sent;
  expect(hasEnded).toBe(true);
  server.close();
});
