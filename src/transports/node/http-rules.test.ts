import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import { describe, expect, test, vi } from "vitest";
import { encode, type FakeCluster } from "../../../test/transports/fake-cluster.ts";
import { RawConnection } from "../../../test/transports/raw-connection.ts";
import { started, untilOpen } from "../../../test/transports/serving.ts";
import type { Serving } from "./serve.ts";

/** What Go's server writes to a client before it closes the connection. */
const refusal = (status: string, text = status): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text}`;
const get = "GET /status/200 HTTP/1.1\r\nHost: localhost\r\n";
const post = "POST /echo HTTP/1.1\r\nHost: localhost\r\n";
const chunked = `${post}Transfer-Encoding: chunked\r\n`;

describe.each([
  ["a port with plain HTTP", false],
  ["a port with TLS", true],
])("as Go's server, %s", (_title, tls) => {
  async function connect(): Promise<{ cluster: FakeCluster; serving: Serving; connection: RawConnection }> {
    const { cluster, serving } = await started({ tls });
    const options = tls ? { ca: serving.caCertificate, servername: "localhost" } : undefined;
    return { cluster, serving, connection: await RawConnection.open(serving.port, options) };
  }

  test.each([
    ["no Host", "GET / HTTP/1.1\r\n\r\n", refusal("400 Bad Request: missing required Host header")],
    ["two Hosts", `${get}Host: localhost\r\n\r\n`, refusal("400 Bad Request: too many Host headers")],
    [
      "a malformed Host",
      "GET / HTTP/1.1\r\nHost: local host\r\n\r\n",
      refusal("400 Bad Request: malformed Host header"),
    ],
    ["a percent sign in its path", "GET /% HTTP/1.1\r\nHost: localhost\r\n\r\n", refusal("400 Bad Request")],
    [
      "a malformed escape in its path",
      "GET /api/%zz?a=b HTTP/1.1\r\nHost: localhost\r\n\r\n",
      refusal("400 Bad Request"),
    ],
    [
      "HTTP/2.0 as its version",
      "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n",
      refusal("505 HTTP Version Not Supported: unsupported protocol version"),
    ],
    [
      "HTTP/9.9 as its version",
      "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
      refusal("505 HTTP Version Not Supported: unsupported protocol version"),
    ],
    ["another encoding", `${post}Transfer-Encoding: gzip\r\n\r\n`, "501"],
    ["chunks in another encoding", `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, "501"],
    ["two encodings", `${chunked}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, "501"],
    ["an empty encoding", `${post}Transfer-Encoding: \r\n\r\n`, "501"],
    ["two lengths", `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, refusal("400 Bad Request")],
    ["a negative length", `${post}Content-Length: -1\r\n\r\n`, refusal("400 Bad Request")],
    ["another method", "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", refusal("400 Bad Request")],
  ])("refuses a request with %s, and no handler sees it or what follows", async (_rule, bytes, expected) => {
    const { cluster, connection } = await connect();
    connection.write(`${bytes}${get}\r\n`);
    const wanted =
      expected === "501" ? refusal("501 Not Implemented", "Unsupported transfer encoding") : expected;
    expect(await connection.toEnd()).toBe(wanted);
    expect(cluster.requests).toEqual([]);
  });

  test.each([
    ["no Host in HTTP/1.0", "GET /status/200 HTTP/1.0\r\n\r\n"],
    ["an empty Host", "GET /status/200 HTTP/1.1\r\nHost:\r\n\r\n"],
    ["an encoding in capitals", `${post}Transfer-Encoding: CHUNKED\r\n\r\n1;x=y\r\na\r\n0\r\n\r\n`],
    ["a malformed escape in its query", "GET /status/200?a=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ])("answers a request with %s", async (_rule, bytes) => {
    const { connection } = await connect();
    connection.write(bytes);
    expect(await connection.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test.each(["DELETE", "OPTIONS"])(
    "answers a %s whose body has no length, and closes the connection",
    async (method) => {
      const { cluster, serving } = await connect();
      const options = {
        method,
        path: "/status/200",
        ca: serving.caCertificate,
        host: "127.0.0.1",
        port: serving.port,
      };
      const { request } = tls ? await import("node:https") : http;
      const agent = new (tls ? (await import("node:https")).Agent : http.Agent)({ keepAlive: true });
      for (let round = 0; round < 3; round++) {
        const [response] = (await once(
          request({ ...options, agent }).end('{"kind":"DeleteOptions"}'),
          "response",
        )) as [http.IncomingMessage];
        expect([response.statusCode, response.headers.connection]).toEqual([200, "close"]);
        expect(String(await response.read())).toBeDefined();
        await once(response.resume(), "close");
      }
      expect(cluster.requests.map((sent) => sent.method)).toEqual([method, method, method]);
      agent.destroy();
    },
  );

  test("answers a request before data that is not HTTP, however much there is", async () => {
    const { connection } = await connect();
    connection.write(`DELETE /status/200 HTTP/1.1\r\nHost: localhost\r\n\r\n${"{".repeat(4_000_000)}`);
    expect(await connection.toEnd()).toMatch(
      /^HTTP\/1\.1 200 OK[\s\S]*\r\nConnection: close\r\n[\s\S]*\{\}\n$/,
    );
  });

  test.each([
    ["whose client asks to close", "Connection: close\r\n", ""],
    ["which is answered later", "", "400 Bad Request"],
  ])("answers a request %s before data that is not HTTP", async (_rule, header, end) => {
    const { cluster, connection } = await connect();
    connection.write(`GET /feed HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`);
    const feed = await untilOpen(cluster);
    await connection.until(/\r\n\r\n/);
    connection.write("{}\r\n");
    feed.push(encode("event"));
    feed.push("end");
    expect((await connection.toEnd()).split("\r\n0\r\n\r\n")[1]).toBe(end === "" ? "" : refusal(end));
  });

  test.each([
    ["an invalid size", "zz\r\n", "invalid byte in chunk length"],
    ["a size beyond 64 bits", `${"f".repeat(20)}\r\n`, "http chunk length too large"],
    ["more data than its size", "2\r\nabcd\r\n0\r\n\r\n", "malformed chunked encoding"],
  ])("answers the requests before and with a chunk of %s", async (_rule, chunk, message) => {
    const { connection } = await connect();
    connection.write(`${get}\r\n${chunked}\r\n${chunk}`);
    const [, first = "", second = ""] = (await connection.toEnd()).split("HTTP/1.1 ");
    expect(first).toMatch(/^200 OK[\s\S]*\{\}\n$/);
    expect(second).toMatch(new RegExp(`^500 [\\s\\S]*\r\nConnection: close\r\n[\\s\\S]*${message}$`));
  });

  test("ends the watches of a client that leaves, also those that wait for their turn", async () => {
    const { cluster, connection } = await connect();
    connection.write("GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3));
    await vi.waitUntil(() => cluster.feeds.length === 3);
    connection.socket.destroy();
    await Promise.all(cluster.feeds.map((feed) => feed.left));
    expect(cluster.feeds.map((feed) => feed.signal.aborted)).toEqual([true, true, true]);
  });
});

test("a malformed escape in a path is a stream error of HTTP/2", async () => {
  const { cluster, serving } = await started({});
  const session = http2.connect(serving.url, { ca: serving.caCertificate });
  const stream = session.request({ ":path": "/%zz" });
  await expect(once(stream, "response")).rejects.toThrow("NGHTTP2_PROTOCOL_ERROR");
  expect(cluster.requests).toEqual([]);
  session.destroy();
});
