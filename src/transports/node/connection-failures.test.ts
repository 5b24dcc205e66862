import { type EventEmitter, once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import tls from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../index.ts";
import { down, freeze, goAway, reset } from "../../scenario/presets.ts";
import { type Serving, serve } from "./serve.ts";

let cluster: Cluster;
let serving: Serving;

beforeEach(async () => {
  cluster = createCluster({ controllers: [], anonymousAuth: true });
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
});

afterEach(async () => {
  await serving.close();
  await cluster.close();
});

const path = "/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=0";

/** The error that ends a connection, or "ended". */
async function endOf(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
    socket.once("end", () => resolve("ended"));
    socket.resume();
  });
}

/** Ignores any earlier error. */
function closeOf(emitter: EventEmitter): Promise<void> {
  return new Promise((resolve) => emitter.once("close", () => resolve()));
}

describe("over HTTP/1.1", () => {
  const ask = (socket: net.Socket, target: string, headers = "") =>
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);

  async function connect(isSecure: boolean): Promise<net.Socket> {
    serving = await serve(cluster, { tls: isSecure });
    const { port, caCertificate: ca } = serving;
    const socket = isSecure
      ? tls.connect({ port, host: "127.0.0.1", ca })
      : net.connect({ port, host: "127.0.0.1" });
    await once(socket, isSecure ? "secureConnect" : "connect");
    return socket;
  }

  test.each([
    ["plain", false],
    ["in TLS", true],
  ])("a reset is a RST (%s) after the bytes before it", async (_title, isSecure) => {
    const socket = await connect(isSecure);
    cluster.inject(reset({ afterEvents: 1 }));
    let text = "";
    socket.on("data", (piece) => {
      text += piece;
    });
    const end = endOf(socket);
    ask(socket, path);
    expect(await end).toBe("ECONNRESET");
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"type":"ADDED"/);
    expect(text).not.toContain("\r\n0\r\n");
  });

  test("a request whose connection is reset has been executed", async () => {
    const socket = await connect(false);
    cluster.inject(reset({ verb: "delete" }));
    const end = endOf(socket);
    socket.write("DELETE /api/v1/namespaces/default/configmaps/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await end).toBe("ECONNRESET");
    await expect(cluster.get("v1", "ConfigMap", "a")).rejects.toThrow("not found");
  });

  test("a response that is cut after some bytes has the full Content-Length", async () => {
    const socket = await connect(false);
    cluster.inject(reset({ verb: "get", afterBytes: 10 }));
    let text = "";
    socket.on("data", (piece) => {
      text += piece;
    });
    const end = endOf(socket);
    ask(socket, "/api/v1/namespaces/default/configmaps/a");
    expect(await end).toBe("ECONNRESET");
    const [head = "", body] = text.split("\r\n\r\n");
    expect(body).toBe('{"kind":"C');
    expect(Number(/Content-Length: (\d+)/.exec(head)?.[1])).toBeGreaterThan(100);
  });

  test("a frozen connection stays open until the port closes, even if its client sends data", async () => {
    const socket = await connect(false);
    const fault = cluster.inject(freeze({ verb: "get" }));
    let received = 0;
    socket.on("data", ({ length }) => {
      received += length;
    });
    ask(socket, "/api/v1/namespaces/default/configmaps/a");
    await fault.hit();
    ask(socket, "/version");
    // Other connections are served meanwhile.
    expect((await fetch(`${serving.url}/version`)).status).toBe(200);
    expect([received, socket.readyState]).toEqual([0, "open"]);
    const end = endOf(socket);
    await serving.close();
    expect(["ended", "ECONNRESET"]).toContain(await end);
  });

  test("a request with Connection: close in its response completes", async () => {
    const socket = await connect(false);
    cluster.inject(goAway());
    let text = "";
    socket.on("data", (piece) => {
      text += piece;
    });
    const end = endOf(socket);
    ask(socket, "/version");
    expect(await end).toBe("ended");
    expect(text).toMatch(/Connection: close\r\n[\s\S]*"gitVersion"/);
  });
});

describe("over HTTP/2", () => {
  async function connect(): Promise<http2.ClientHttp2Session> {
    serving = await serve(cluster);
    const session = http2.connect(serving.url, { ca: serving.caCertificate });
    session.on("error", () => {});
    await once(session, "connect");
    return session;
  }

  function open(session: http2.ClientHttp2Session, target = path): http2.ClientHttp2Stream {
    const stream = session.request({ ":path": target });
    stream.on("error", () => {});
    stream.resume();
    return stream;
  }

  test("the reset of a stream does not affect its connection", async () => {
    const session = await connect();
    cluster.inject(reset({ of: "stream" }));
    const [struck, other] = [open(session), open(session)];
    await closeOf(struck);
    expect(struck.rstCode).toBe(http2.constants.NGHTTP2_INTERNAL_ERROR);
    expect([other.closed, session.closed]).toEqual([false, false]);
    session.destroy();
  });

  test("the reset of a connection ends all its streams", async () => {
    const session = await connect();
    const other = open(session);
    await once(other, "response");
    cluster.inject(reset());
    open(session);
    await Promise.all([closeOf(other), closeOf(session)]);
  });

  test("a frozen connection does not answer pings, and all its streams stop", async () => {
    const session = await connect();
    const other = open(session);
    await once(other, "data");
    cluster.inject(freeze());
    // The headers of the response are the last data.
    await once(open(session), "response");
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } });
    let isPinged = false;
    session.ping(() => {
      isPinged = true;
    });
    let received = 0;
    other.on("data", ({ length }) => {
      received += length;
    });
    // Another connection works meanwhile.
    const alive = http2.connect(serving.url, { ca: serving.caCertificate });
    await once(open(alive), "data");
    await new Promise((resolve) => alive.ping(resolve));
    expect([isPinged, received, session.closed]).toEqual([false, 0, false]);
    session.destroy();
    alive.destroy();
  });

  test("open streams complete after GOAWAY", async () => {
    const session = await connect();
    cluster.inject(goAway({ path: "/version" }));
    const watch = open(session);
    await once(watch, "response");
    const [[code]] = await Promise.all([once(session, "goaway"), once(open(session, "/version"), "end")]);
    expect([code, watch.closed, session.destroyed]).toEqual([0, false, false]);
    watch.close();
    await once(session, "close");
  });

  test("GOAWAY is the last frame if the connection closes during a request", async () => {
    const session = await connect();
    cluster.inject(goAway({ close: true, verb: "watch", afterEvents: 1 }));
    const watch = open(session);
    const [[code, last]] = await Promise.all([once(session, "goaway"), once(session, "close")]);
    expect([code, last]).toEqual([0, watch.id]);
  });
});

describe.each([
  ["with TLS", true],
  ["without", false],
])("a port %s, while its cluster is down,", (_title, isSecure) => {
  const connect = (port: number) =>
    new Promise<string>((resolve) => {
      const socket = net.connect({ port, host: "127.0.0.1" });
      socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
      socket.once("connect", () => {
        socket.destroy();
        resolve("connected");
      });
    });

  test("closes its connections, refuses new ones, and reopens at the same address", async () => {
    serving = await serve(cluster, { tls: isSecure });
    const { port } = serving;
    const idle = net.connect({ port, host: "127.0.0.1" });
    await once(idle, "connect");
    const end = endOf(idle);
    const fault = cluster.inject(down());
    expect([await end, await connect(port)]).toEqual(["ECONNRESET", "ECONNREFUSED"]);
    fault.remove();
    expect(await connect(port)).toBe("connected");
  });

  test("can be closed, and does not reopen then", async () => {
    serving = await serve(cluster, { tls: isSecure });
    const { port } = serving;
    const fault = cluster.inject(down());
    await serving.close();
    fault.remove();
    expect(await connect(port)).toBe("ECONNREFUSED");
  });
});
