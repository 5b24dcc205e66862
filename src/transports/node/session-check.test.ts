import type { ServerHttp2Session } from "node:http2";
import { afterEach, expect, test, vi } from "vitest";
import { FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { RawConnection } from "../../../test/transports/raw-connection.ts";
import { apiServerHosts, createAuthority } from "./certificates.ts";
import { type Listener, listen } from "./listen.ts";
import { SessionCheck } from "./session-check.ts";

const authority = createAuthority();
const issued = authority.issue({ commonName: "server", usage: "server", hosts: apiServerHosts });
const trust = { ca: authority.certificate, servername: "localhost", ALPNProtocols: ["h2"] };
const types = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

const listeners: Listener[] = [];
afterEach(() => Promise.all(listeners.splice(0).map((listener) => listener.close())));

async function started() {
  const cluster = new FakeCluster();
  const listener = await listen(cluster.handler, {
    port: 0,
    host: "127.0.0.1",
    tls: issued,
    upgrade: undefined,
  });
  listeners.push(listener);
  return { cluster, listener, connection: await RawConnection.open(listener.port, trust) };
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function request(stream: number, path: string): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const headers = { ":method": "GET", ":scheme": "https", ":authority": "localhost", ":path": path };
  const literals = Object.entries(headers).flatMap(([name, value]) => [
    Buffer.from([0]),
    text(name),
    text(value),
  ]);
  return frame(types.headers, 5, stream, Buffer.concat(literals));
}

const opening = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(types.settings, 0, 0, Buffer.alloc(0)),
]);

/** The frames that the server has sent, by their type. */
function framesOf({ received }: RawConnection, type: number): readonly Buffer[] {
  const bytes = Buffer.from(received, "latin1");
  const found: Buffer[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    if (bytes[at + 3] === type) found.push(bytes.subarray(at + 9, at + 9 + bytes.readUIntBE(at, 3)));
  return found;
}

const hasCome = (connection: RawConnection, type: number, count: number) =>
  vi.waitUntil(() => framesOf(connection, type).length >= count, 20_000);

test.each([
  ["DATA for a stream that was never opened", frame(types.data, 0, 17, Buffer.alloc(10)), 1],
  ["DATA after the end of its stream", frame(types.data, 0, 1, Buffer.alloc(10)), 5],
  ["a frame that is too large", Buffer.from("7fffff000000000003", "hex"), 6],
  ["CONTINUATION without HEADERS", frame(types.continuation, 0, 1, Buffer.alloc(3)), 1],
  ["headers that are not compressed as HPACK says", frame(types.headers, 5, 3, Buffer.alloc(9, 0xff)), 9],
])("%s ends the session with GOAWAY, and its streams", async (_title, damage, code) => {
  const { cluster, listener, connection } = await started();
  connection.write(Buffer.concat([opening, request(1, "/feed")]));
  await vi.waitUntil(() => cluster.feeds.length === 1, 20_000);
  connection.write(damage);
  await connection.closed;
  expect(framesOf(connection, types.goAway).map((payload) => payload.readUInt32BE(4))).toEqual([code]);
  await cluster.feeds[0]?.left;
  await listener.close();
});

test("a client that leaves after damaged frames ends its streams", async () => {
  const { cluster, connection } = await started();
  connection.write(Buffer.concat([opening, request(1, "/feed"), frame(types.data, 0, 17, Buffer.alloc(10))]));
  await vi.waitUntil(() => cluster.feeds.length === 1, 20_000);
  connection.socket.destroy();
  await cluster.feeds[0]?.left;
});

test("a port closes although a session is broken", async () => {
  const { cluster, listener, connection } = await started();
  connection.write(Buffer.concat([opening, request(1, "/feed"), frame(types.data, 0, 17, Buffer.alloc(10))]));
  await vi.waitUntil(() => cluster.feeds.length === 1, 20_000);
  await listener.close();
  await connection.closed;
});

test.each([
  ["an event that is larger than its window", 2 ** 20],
  ["many events", 100_000],
])("a stream that is reset without an error ends, although it has yet to send %s", async (_title, size) => {
  const { cluster, connection } = await started();
  connection.write(Buffer.concat([opening, request(1, "/feed")]));
  await vi.waitUntil(() => cluster.feeds.length === 1, 20_000);
  for (let sent = 0; sent < 2 ** 20; sent += size) cluster.feeds[0]?.push(new Uint8Array(size));
  await vi.waitUntil(() => connection.received.length > 60_000, 20_000);
  connection.write(frame(types.reset, 0, 1, Buffer.alloc(4)));
  await cluster.feeds[0]?.left;
  expect(framesOf(connection, types.goAway)).toEqual([]);
  connection.socket.destroy();
});

test("a client gets a PING after it has sent something, and another one if it does not answer", async () => {
  const { cluster, connection } = await started();
  connection.write(Buffer.concat([opening, request(1, "/feed")]));
  await hasCome(connection, types.ping, 1);
  await new Promise((resolve) => setTimeout(resolve, 2100));
  expect(framesOf(connection, types.ping)).toHaveLength(2);
  const [ping = Buffer.alloc(0)] = framesOf(connection, types.ping);
  connection.write(frame(types.ping, 1, 0, ping));
  await new Promise((resolve) => setTimeout(resolve, 1600));
  expect(framesOf(connection, types.ping)).toHaveLength(2);
  cluster.feeds[0]?.push(new TextEncoder().encode("event"));
  expect(await connection.until(/event/)).toContain("event");
  connection.socket.destroy();
});

test("a client that never answers a PING may go on for a while", async () => {
  const { connection } = await started();
  connection.write(opening);
  for (let index = 0; index < 4; index++) {
    connection.write(request(2 * index + 1, "/status/200"));
    await hasCome(connection, types.headers, index + 1);
    await hasCome(connection, types.ping, index + 1);
  }
  expect(framesOf(connection, types.goAway)).toEqual([]);
  connection.socket.destroy();
});

test("a client that does not read for a while keeps its session", async () => {
  const { cluster, connection } = await started();
  const largest = Buffer.from("00047fffffff", "hex");
  connection.write(Buffer.concat([opening, frame(types.settings, 0, 0, largest)]));
  connection.write(frame(types.windowUpdate, 0, 0, Buffer.from("3fffffff", "hex")));
  connection.write(request(1, "/feed"));
  await vi.waitUntil(() => cluster.feeds.length === 1, 20_000);
  connection.socket.pause();
  const large = new Uint8Array(16 * 1024 * 1024);
  cluster.feeds[0]?.push(large);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  let length = 0;
  connection.socket.removeAllListeners("data");
  connection.socket.on("data", (piece) => {
    length += piece.length;
  });
  connection.socket.resume();
  await vi.waitUntil(() => length >= large.length || connection.socket.closed, 20_000);
  expect(connection.socket.closed).toBe(false);
  connection.socket.destroy();
});

test("a session whose last bytes are a GOAWAY is broken, although they could be the PING", () => {
  const socket = { bytesRead: 100, bytesWritten: 50 };
  // Takes PINGs, but sends none.
  const session = { closed: false, destroyed: false, socket, ping: () => true };
  const check = new SessionCheck(session as unknown as ServerHttp2Session, undefined);
  expect(check.isBroken()).toBe(false);
  socket.bytesWritten += 17;
  expect([check.isBroken(), check.isBroken()]).toEqual([false, true]);
});
