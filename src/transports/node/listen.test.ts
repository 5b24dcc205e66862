import { once } from "node:events";
import http2 from "node:http2";
import { describe, expect, test, vi } from "vitest";
import { http2Client, nodeHttpClient, whole } from "../../../test/transports/clients.ts";
import { encode } from "../../../test/transports/fake-cluster.ts";
import { RawConnection } from "../../../test/transports/raw-connection.ts";
import { connected, open, started, untilOpen } from "../../../test/transports/serving.ts";
import type { ApiResponse } from "../../request/handler.ts";
import { createAuthority } from "./certificates.ts";
import { serve } from "./serve.ts";

describe("HTTP/1.1 on the wire", () => {
  test("a response has Go's headers with Go's casing", async () => {
    const { connection } = await connected();
    connection.write("GET /every-byte HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [head = ""] = (await connection.until(/\r\n\r\n[\s\S]{256}$/)).split("\r\n\r\n");
    expect(head.replace(/Date: .*GMT/, "Date: now").split("\r\n")).toEqual([
      "HTTP/1.1 200 OK",
      "Audit-Id: fixed",
      "Content-Type: application/json",
      "Content-Length: 256",
      "Date: now",
    ]);
  });

  test("a stream is chunked, and pieces that are ready together are one chunk", async () => {
    const { cluster, connection } = await connected();
    connection.write("GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await connection.until(/\r\n\r\n/)).toMatch(/\r\nTransfer-Encoding: chunked\r\n/);
    const feed = await untilOpen(cluster);
    feed.push(encode("one"));
    feed.push(encode("two"));
    expect(await connection.until(/two/)).toMatch(/\r\n\r\n6\r\nonetwo\r\n$/);
    feed.push("end");
    expect(await connection.until(/\r\n0\r\n\r\n$/)).toMatch(/\r\n0\r\n\r\n$/);
  });

  test("a connection closes if the client requests it", async () => {
    const { connection } = await connected();
    connection.write("GET /status/200 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(await connection.toEnd()).toMatch(/\r\nConnection: close\r\n[\s\S]*\n\{\}\n$/);
  });

  test("a stream to an HTTP/1.0 client ends with the connection", async () => {
    const { cluster, connection } = await connected();
    connection.write("GET /feed HTTP/1.0\r\n\r\n");
    const feed = await untilOpen(cluster);
    feed.push(encode("one"));
    feed.push("end");
    expect(await connection.toEnd()).toMatch(/\r\nConnection: close\r\n[\s\S]*\none$/);
  });

  test("requests may be pipelined", async () => {
    const { connection } = await connected();
    connection.write(
      "GET /status/201 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /status/202 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    );
    expect(await connection.until(/202 Accepted[\s\S]*\n$/)).toMatch(
      /^HTTP\/1.1 201 Created[\s\S]*HTTP\/1.1 202 Accepted/,
    );
  });

  test("a pipelined stream waits for the previous one, and is complete", async () => {
    const { cluster, connection } = await connected();
    const request = "GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n";
    connection.write(request + request);
    await vi.waitUntil(() => cluster.feeds.length === 2);
    const [first, second] = cluster.feeds;
    second?.push(encode("2a"));
    first?.push(encode("1"));
    await connection.until(/\r\n1\r\n1\r\n$/);
    first?.push("end");
    await connection.until(/2a\r\n$/);
    second?.push(encode("2b"));
    second?.push("end");
    const chunks = (await connection.until(/2b\r\n0\r\n\r\n$/)).split(/HTTP[\s\S]*?\r\n\r\n/).slice(1);
    expect(chunks).toEqual(["1\r\n1\r\n0\r\n\r\n", "2\r\n2a\r\n2\r\n2b\r\n0\r\n\r\n"]);
  });

  test("Expect: 100-continue is answered", async () => {
    const { connection } = await connected();
    connection.write(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
    );
    expect(await connection.until(/\r\n\r\n/)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    connection.write("hello");
    expect(await connection.until(/hello$/)).toMatch(/HTTP\/1.1 200 OK[\s\S]*hello$/);
  });

  test.each([
    ["that is not HTTP", "hello\r\n\r\n", "400 Bad Request"],
    ["without a host", "GET / HTTP/1.1\r\n\r\n", "400 Bad Request"],
    ["with headers beyond a mebibyte", `GET / HTTP/1.1\r\nX: ${"x".repeat(1100 * 1024)}\r\n\r\n`, "431 "],
  ])("a message %s is refused, and the next connection is served", async (_title, message, status) => {
    const { serving, connection } = await connected();
    connection.write(message);
    expect(await connection.toEnd()).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    const next = await RawConnection.open(serving.port);
    next.write("GET /status/200 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await next.until(/\n$/)).toMatch(/^HTTP\/1.1 200 OK/);
  });

  test("invalid data after a request does not affect its response, and is refused after it", async () => {
    const { cluster, connection } = await connected();
    connection.write("GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const feed = await untilOpen(cluster);
    await connection.until(/\r\n\r\n/);
    connection.write("noise\r\n\r\n");
    connection.write("more noise\r\n\r\n");
    await new Promise((resolve) => setImmediate(resolve));
    feed.push(encode("late"));
    feed.push("end");
    expect(await connection.toEnd()).toMatch(/\r\n4\r\nlate\r\n0\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n/);
    expect(feed.returns).toBe(1);
  });

  test("a request target may be a whole URL", async () => {
    const { cluster, connection } = await connected();
    connection.write("GET http://elsewhere.test/status/200?a=%2F HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await connection.until(/\n$/);
    expect(cluster.requests[0]?.target).toBe("/status/200?a=%2F");
  });

  test("a token of 512 KiB is accepted", async () => {
    const { connection } = await connected();
    const long = "x".repeat(512 * 1024);
    connection.write(`GET /echo HTTP/1.1\r\nHost: localhost\r\nX-Sent: ${long}\r\n\r\n`);
    expect(await connection.until(/\r\n\r\n$/)).toContain(`X-First: ${long}\r\n`);
  });

  test("headers beyond ASCII are read as UTF-8", async () => {
    const { cluster, connection } = await connected();
    connection.write("GET /status/200 HTTP/1.1\r\nHost: localhost\r\nImpersonate-User: bjørn\r\n\r\n");
    await connection.until(/\n$/);
    expect(cluster.requests[0]?.headers.get("impersonate-user")).toBe("bjørn");
  });
});

describe("a request body that the handler does not read completely", () => {
  test("without an end gets a response, and the connection closes", async () => {
    const { connection } = await connected();
    connection.write("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const flood = (): void => {
      while (!connection.socket.destroyed && connection.socket.write(chunk));
    };
    connection.socket.on("drain", flood);
    flood();
    expect(await connection.until(/too large$/)).toMatch(
      /^HTTP\/1.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*too large$/,
    );
    await connection.closed;
  });

  test("with a too large Content-Length is refused before it is sent", async () => {
    const { connection } = await connected();
    connection.write("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n");
    expect(await connection.toEnd()).toMatch(
      /^HTTP\/1.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*too large$/,
    );
  });

  test("does not affect the connection if it is small", async () => {
    const { connection } = await connected();
    connection.write("POST /status/401 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n");
    expect(await connection.until(/\{\}\n$/)).not.toMatch(/Connection: close/);
    connection.write(`${"x".repeat(1000)}GET /status/200 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(await connection.until(/ 200 OK[\s\S]*\n$/)).toMatch(/ 200 OK/);
  });

  test("on HTTP/2 ends the stream, but not the session", async () => {
    const { serving } = await started({});
    const session = http2.connect(serving.url, { ca: serving.caCertificate });
    const stream = session.request({ ":path": "/echo", ":method": "POST" });
    stream.write(new Uint8Array(4_000_000));
    const [headers] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
    expect(headers[":status"]).toBe(413);
    stream.resume();
    await once(stream, "close");
    expect(stream.rstCode).toBe(http2.constants.NGHTTP2_NO_ERROR);
    const next = session.request({ ":path": "/status/200" }).resume();
    expect(((await once(next, "response")) as [http2.IncomingHttpHeaders])[0][":status"]).toBe(200);
    session.destroy();
  });
});

describe("the peer of a request", () => {
  test("has the client's address", async () => {
    const { cluster, connection } = await connected();
    connection.write("GET /status/200 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await connection.until(/\n$/);
    expect(cluster.peers).toEqual([{ origin: "port", remoteAddress: "127.0.0.1", certificate: undefined }]);
  });

  test("has the certificate that the client sent, of any authority", async () => {
    const { key, certificate } = createAuthority().issue({ commonName: "alice", usage: "client" });
    const { cluster, serving } = await started({});
    const options = { ca: serving.caCertificate, key, cert: certificate };
    await whole(await nodeHttpClient(serving.url, options).open({ path: "/status/200" }));
    const session = http2.connect(serving.url, options);
    await once(session.request({ ":path": "/status/200" }).resume(), "close");
    session.destroy();
    const raw = Buffer.from(certificate.replace(/-----.*-----|\n/g, ""), "base64");
    expect(cluster.peers).toEqual(
      [1, 2].map(() => ({
        origin: "port",
        remoteAddress: "127.0.0.1",
        certificate: { raw, intermediates: [] },
      })),
    );
  });

  test("has no certificate if the client sent none", async () => {
    const { cluster, serving } = await started({});
    await whole(
      await nodeHttpClient(serving.url, { ca: serving.caCertificate }).open({ path: "/status/200" }),
    );
    expect(cluster.peers).toEqual([{ origin: "port", remoteAddress: "127.0.0.1", certificate: undefined }]);
  });
});

describe("TLS", () => {
  test("a client without ALPN uses HTTP/1.1", async () => {
    const { serving } = await started({});
    const connection = await RawConnection.open(serving.port, {
      ca: serving.caCertificate,
      servername: "localhost",
    });
    connection.write("GET /status/200 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(await connection.toEnd()).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  });

  test.each(["kubernetes.default.svc", "localhost"])(
    "the certificate is valid for %s",
    async (servername) => {
      const { serving } = await started({});
      const options = { ca: serving.caCertificate, servername };
      expect((await nodeHttpClient(serving.url, options).open({ path: "/status/200" })).status).toBe(200);
    },
  );

  test.each([
    ["plain HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["noise", "\x16\x03\x01\x00\x05hello"],
    ["nothing", ""],
  ])("a connection with %s does not affect others", async (_title, message) => {
    const { serving } = await started({});
    const connection = await RawConnection.open(serving.port);
    connection.socket.end(message);
    await connection.closed;
    const client = http2Client(serving.url, serving.caCertificate);
    expect((await client.open({ path: "/status/200" })).status).toBe(200);
    await client.close?.();
  });

  test("invalid HTTP/2 frames do not affect other connections", async () => {
    const { serving } = await started({});
    const tls = { ca: serving.caCertificate, ALPNProtocols: ["h2"], servername: "localhost" };
    for (const message of [
      "hello there\r\n\r\n".repeat(9),
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${"\xff".repeat(99)}`,
    ]) {
      const connection = await RawConnection.open(serving.port, tls);
      connection.write(Buffer.from(message, "latin1"));
      await connection.closed;
    }
    const client = http2Client(serving.url, serving.caCertificate);
    expect((await client.open({ path: "/status/200" })).status).toBe(200);
    await client.close?.();
  });

  test("connection headers are not sent over HTTP/2", async () => {
    const serving = await serve({
      adminToken: () => "",
      token: () => "",
      handler: async () => ({
        status: 200,
        headers: [
          ["Connection", "keep-alive"],
          ["Transfer-Encoding", "chunked"],
          ["Upgrade", "x"],
          ["X-Kept", "1"],
        ],
        body: undefined,
      }),
    });
    open.push(serving);
    const client = http2Client(serving.url, serving.caCertificate);
    const names = (await client.open({ path: "/" })).headers.map(([name]) => name);
    expect(names).toEqual([":status", "x-kept", "content-length", "date"]);
    await client.close?.();
  });
});

test("a port that is in use is an error", async () => {
  const { cluster, serving } = await started();
  await expect(serve(cluster, { port: serving.port, tls: false })).rejects.toThrow("EADDRINUSE");
});

test("an error of a handler aborts its response, and is reported", async () => {
  const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const handler = (): Promise<ApiResponse> => Promise.reject(new Error("a mistake"));
  const serving = await serve({ adminToken: () => "", token: () => "", handler }, { tls: false });
  open.push(serving);
  await expect(nodeHttpClient(serving.url).open({ path: "/" })).rejects.toThrow("socket hang up");
  expect(warning).toHaveBeenCalledWith(new Error("a mistake"));
  warning.mockRestore();
});

test("a kubeconfig authenticates as its user", async () => {
  const { serving } = await started({});
  expect(serving.kubeconfig({ user: "alice", groups: ["dev"] })).toContain('token: "secret of alice dev"');
});

test("a kubeconfig has the address of the server", async () => {
  const { serving } = await started({});
  expect(serving.url).toBe(`https://127.0.0.1:${serving.port}`);
  expect(serving.kubeconfig()).toContain(`server: "${serving.url}"`);
  expect(serving.kubeconfig()).toContain('token: "secret"');
  const [, data = ""] = /certificate-authority-data: "(.*)"/.exec(serving.kubeconfig()) ?? [];
  expect(atob(data)).toBe(serving.caCertificate);
});

test.each([
  ["::1", "http://[::1]:"],
  ["0.0.0.0", "http://127.0.0.1:"],
  ["::", "http://[::1]:"],
  ["localhost", "http://localhost:"],
])("a server on %s has the URL %s", async (host, url) => {
  const { serving } = await started({ tls: false, host });
  expect(serving.url).toBe(`${url}${serving.port}`);
  expect((await fetch(`${serving.url}/status/200`)).status).toBe(200);
});
