import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import tls from "node:tls";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { RawConnection } from "../../../test/transports/raw-connection.ts";
import type { ApiRequest, Handler } from "../../request/handler.ts";
import { apiServerHosts, createAuthority } from "./certificates.ts";
import { type Listener, listen } from "./listen.ts";
import { kubeApiserverLimits, type PortLimits } from "./port-limits.ts";

const authority = createAuthority();
const issued = authority.issue({ commonName: "server", usage: "server", hosts: apiServerHosts });
const secure = issued;
const trust = { ca: authority.certificate, servername: "localhost" };
const frozenBody = new Uint8Array(8 * 1024 * 1024);

const listeners: Listener[] = [];
afterEach(() => Promise.all(listeners.splice(0).map((listener) => listener.close())));

async function limited(
  limits: Partial<PortLimits>,
  handler: Handler = new FakeCluster().handler,
  isSecure = true,
): Promise<Listener> {
  const listener = await listen(handler, {
    port: 0,
    host: "127.0.0.1",
    tls: isSecure ? secure : undefined,
    upgrade: undefined,
    limits: { ...kubeApiserverLimits, ...limits },
  });
  listeners.push(listener);
  return listener;
}

const connectRaw = ({ port }: Listener, isSecure: boolean): Promise<RawConnection> =>
  RawConnection.open(port, isSecure ? trust : undefined);
const session = ({ port }: Listener, settings?: http2.Settings): http2.ClientHttp2Session =>
  http2
    .connect(`https://localhost:${port}`, { ...trust, ...(settings && { settings }) })
    .on("error", () => {});
const serves = async (listener: Listener): Promise<boolean> => {
  const client = session(listener);
  const [headers] = (await once(client.request({ ":path": "/status/200" }).resume(), "response")) as [
    http2.IncomingHttpHeaders,
  ];
  client.destroy();
  return Number(headers[":status"]) === 200;
};

const closed = (stream: http2.ClientHttp2Stream): Promise<void> =>
  new Promise((resolve) =>
    stream.closed && stream.destroyed ? resolve() : stream.once("close", () => resolve()),
  );

test("the limits are those of kube-apiserver", () => {
  expect(kubeApiserverLimits).toEqual({
    headMilliseconds: 32_000,
    requestMilliseconds: 60_000,
    idleMilliseconds: 90_000,
    maxStreams: 100,
  });
});

describe.each([
  ["with plain HTTP", false],
  ["with TLS", true],
])("a port %s", (_title, isSecure) => {
  test.each([
    ["that never ends", "GET /status/200 HTTP/1.1\r\nHost: localhost\r\n"],
    ["of which nothing comes", ""],
  ])("closes a connection with a head %s, and answers nothing", async (_rule, bytes) => {
    const listener = await limited({ headMilliseconds: 1000 }, undefined, isSecure);
    const connection = await connectRaw(listener, isSecure);
    connection.write(bytes);
    const drip = setInterval(() => connection.write(bytes === "" ? "" : "a: b\r\n"), 20);
    expect(await connection.toEnd()).toBe("");
    clearInterval(drip);
  });

  test("does not end a stream because the head of the next request never ends", async () => {
    const cluster = new FakeCluster();
    const listener = await limited({ headMilliseconds: 1000 }, cluster.handler, isSecure);
    const connection = await connectRaw(listener, isSecure);
    connection.write("GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\nGET /next HT");
    await vi.waitUntil(() => cluster.feeds.length === 1, 20_000);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    cluster.feeds[0]?.push(new TextEncoder().encode("event"));
    expect(await connection.until(/event/)).toContain("event");
    connection.socket.destroy();
  });

  test("answers a request whose body never ends, and closes its connection", async () => {
    const failures: string[] = [];
    const handler = async (request: ApiRequest) => {
      await request.body(100).catch((error: { kind: string }) => failures.push(error.kind));
      return { status: 504, headers: [], body: undefined };
    };
    const listener = await limited({ requestMilliseconds: 120 }, handler, isSecure);
    const connection = await connectRaw(listener, isSecure);
    connection.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhello");
    expect(await connection.toEnd()).toMatch(/^HTTP\/1\.1 504 [\s\S]*\r\nConnection: close\r\n/);
    expect(failures).toEqual(["late"]);
  });

  test("disconnects a client that does not take its answer, but not one that watches", async () => {
    const cluster = new FakeCluster();
    const handler: Handler = async (request, peer) =>
      request.target === "/large"
        ? { status: 200, headers: [], body: frozenBody }
        : cluster.handler(request, peer);
    const listener = await limited({ requestMilliseconds: 120 }, handler, isSecure);
    const [slow, watching] = [await connectRaw(listener, isSecure), await connectRaw(listener, isSecure)];
    watching.write("GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n");
    slow.socket.pause();
    slow.write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 400));
    slow.socket.resume();
    expect((await slow.toEnd()).length).toBeLessThan(frozenBody.length);
    cluster.feeds[0]?.push(new TextEncoder().encode("event"));
    expect(await watching.until(/event/)).toContain("event");
    watching.socket.destroy();
  });
});

test.each([
  ["TLS", true],
  ["plain text", false],
])(
  "over %s, a client that goes on sending a head that is too long can read why it is refused",
  async (_, isSecure) => {
    const listener = await limited({}, undefined, isSecure);
    const connection = await connectRaw(listener, isSecure);
    connection.socket.pause();
    const piece = "a".repeat(600_000);
    connection.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${piece}`);
    for (let pieces = 0; pieces < 4; pieces++) {
      connection.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    connection.socket.resume();
    expect(await connection.toEnd()).toMatch(/^HTTP\/1.1 431 /);
  },
);

test("a TLS handshake that never ends is given up", async () => {
  const listener = await limited({ headMilliseconds: 1000 });
  const connection = await RawConnection.open(listener.port);
  connection.write(Buffer.from("1603010200010001fc0303", "hex"));
  await connection.closed;
  expect(await serves(listener)).toBe(true);
});

describe("HTTP/2", () => {
  test("a client may open a hundred streams, or as many as the limit says", async () => {
    for (const [limits, most] of [
      [{}, 100],
      [{ maxStreams: 7 }, 7],
    ] as const) {
      const client = session(await limited(limits));
      await once(client, "remoteSettings");
      expect(client.remoteSettings.maxConcurrentStreams).toBe(most);
      client.destroy();
    }
  });

  test("a connection without requests ends with GOAWAY; one with an open stream stays", async () => {
    const cluster = new FakeCluster();
    const listener = await limited({ idleMilliseconds: 1000 }, cluster.handler);
    const [idle, watching] = [session(listener), session(listener)];
    const away = once(idle, "goaway");
    const feed = watching.request({ ":path": "/feed" });
    await once(feed, "response");
    expect((await away)[0]).toBe(http2.constants.NGHTTP2_NO_ERROR);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    cluster.feeds[0]?.push(new TextEncoder().encode("event"));
    expect(String((await once(feed, "data"))[0])).toBe("event");
    watching.destroy();
  });

  test("a flow-control window that never opens ends the stream", async () => {
    const handler: Handler = async () => ({ status: 200, headers: [], body: frozenBody });
    const listener = await limited({ requestMilliseconds: 120 }, handler);
    const client = session(listener, { initialWindowSize: 0 });
    await once(client, "connect");
    const small = client.request({ ":path": "/" });
    const [error] = (await once(small, "error").catch((failure: Error) => [failure])) as [Error];
    expect(error.message).toContain("NGHTTP2_INTERNAL_ERROR");
    client.destroy();
  });

  test("a small answer that is not taken is given up, too", async () => {
    const cluster = new FakeCluster();
    const listener = await limited({ requestMilliseconds: 120 }, cluster.handler);
    const client = session(listener, { initialWindowSize: 0 });
    await once(client, "connect");
    const small = client.request({ ":path": "/status/200" }).on("error", () => {});
    await closed(small);
    expect(small.rstCode).not.toBe(http2.constants.NGHTTP2_NO_ERROR);
    client.destroy();
  });

  test("a body that never ends is given up", async () => {
    const kinds: string[] = [];
    const handler: Handler = async (request) => {
      await request.body(100).catch((error: { kind: string }) => kinds.push(error.kind));
      return { status: 504, headers: [], body: undefined };
    };
    const client = session(await limited({ requestMilliseconds: 120 }, handler));
    const stream = client.request({ ":path": "/", ":method": "POST" });
    stream.write("hello");
    expect(((await once(stream, "response")) as [http2.IncomingHttpHeaders])[0][":status"]).toBe(504);
    expect(kinds).toEqual(["late"]);
    client.destroy();
  });

  test("a client that resets streams while their requests are handled is disconnected", async () => {
    let handled = 0;
    const handler: Handler = () => {
      handled++;
      return new Promise(() => {});
    };
    const listener = await limited({ maxStreams: 10 }, handler);
    const client = session(listener);
    await once(client, "remoteSettings");
    const away = once(client, "goaway");
    for (let index = 0; index < 200 && !client.destroyed; index++) {
      const stream = client.request({ ":path": "/" }).on("error", () => {});
      while (handled <= index && !stream.destroyed) await new Promise((resolve) => setImmediate(resolve));
      stream.close(http2.constants.NGHTTP2_CANCEL);
      await closed(stream);
    }
    expect((await away)[0]).toBe(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect(handled).toBe(50);
  });

  test("a client that opens and resets thousands of streams leaves nothing behind", async () => {
    const cluster = new FakeCluster();
    const listener = await limited({}, cluster.handler);
    const client = session(listener);
    await once(client, "remoteSettings");
    for (let round = 0; round < 40; round++) {
      const streams = Array.from({ length: 50 }, () =>
        client.request({ ":path": "/feed" }).on("error", () => {}),
      );
      await new Promise((resolve) => setImmediate(resolve));
      for (const stream of streams) stream.close(http2.constants.NGHTTP2_CANCEL);
      await Promise.all(streams.map(closed));
    }
    expect(cluster.requests.length).toBeGreaterThan(0);
    await Promise.all(cluster.feeds.map((feed) => feed.left));
    expect(cluster.feeds.every((feed) => feed.returns === 1)).toBe(true);
    expect(await serves(listener)).toBe(true);
    client.destroy();
  });

  const frame = (type: number, flags: number, payload: Buffer): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    return Buffer.concat([head, payload]);
  };
  const preface = Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frame(4, 0, Buffer.alloc(0)),
  ]);

  test.each([
    ["pings", frame(6, 0, Buffer.alloc(8))],
    ["settings", frame(4, 0, Buffer.from("000300000064", "hex"))],
  ])(
    "a flood of %s from a client that does not read ends its connection, not the server",
    async (_title, flood) => {
      const listener = await limited({});
      const raw = net.connect(listener.port, "127.0.0.1");
      const socket = tls.connect({ socket: raw, ...trust, ALPNProtocols: ["h2"] });
      socket.on("error", () => {});
      await once(socket, "secureConnect");
      socket.pause();
      socket.write(preface);
      const piece = Buffer.concat(Array.from({ length: 4000 }, () => flood));
      const before = process.memoryUsage().rss;
      for (let round = 0; round < 500 && !socket.destroyed; round++) {
        if (!socket.write(piece)) {
          const abort = new AbortController();
          const timer = setTimeout(() => abort.abort(), 1000);
          await once(socket, "drain", { signal: abort.signal }).catch(() => {});
          clearTimeout(timer);
          if (abort.signal.aborted) break;
        }
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
      expect(await serves(listener)).toBe(true);
      socket.destroy();
    },
  );
});
