import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import { describe, expect, test } from "vitest";
import { nodeHttpClient, whole } from "../../../test/transports/clients.ts";
import { decode, encode } from "../../../test/transports/fake-cluster.ts";
import { RawConnection } from "../../../test/transports/raw-connection.ts";
import { connected, started, untilOpen } from "../../../test/transports/serving.ts";
import { serve } from "./serve.ts";

describe("close", () => {
  test.each([
    ["HTTP/1.1", false],
    ["HTTP/1.1 over TLS", true],
  ])("ends watches cleanly and frees the port, %s", async (_title, tls) => {
    const { cluster, serving } = await started({ tls });
    const agent = new http.Agent({ keepAlive: true });
    const client = nodeHttpClient(serving.url, tls ? { ca: serving.caCertificate } : { agent });
    await whole(await client.open({ path: "/status/200" }));
    const received = await client.open({ path: "/feed" });
    const feed = await untilOpen(cluster);
    feed.push(encode("last"));
    expect(decode((await received.next()) ?? new Uint8Array())).toBe("last");
    const [rest] = await Promise.all([whole(received), feed.left, serving.close()]);
    expect(rest.byteLength).toBe(0);
    expect(feed.returns).toBe(1);
    const next = await serve(cluster, { port: serving.port, tls });
    expect(next.port).toBe(serving.port);
    await next.close();
  });

  test("ends watches cleanly, HTTP/2", async () => {
    const { cluster, serving } = await started({});
    const session = http2.connect(serving.url, { ca: serving.caCertificate });
    const stream = session.request({ ":path": "/feed" });
    await once(stream, "response");
    const feed = await untilOpen(cluster);
    feed.push(encode("last"));
    expect(((await once(stream, "data")) as [Buffer])[0].toString()).toBe("last");
    const ended = once(stream, "end");
    const closed = once(session, "close");
    await serving.close();
    await Promise.all([ended, closed]);
    expect(stream.rstCode).toBe(http2.constants.NGHTTP2_NO_ERROR);
    expect(feed.returns).toBe(1);
  });

  test.each(["/large", "/pieces"])("completes a response to %s that has started", async (path) => {
    const { serving, connection } = await connected();
    connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await connection.until(/\r\n\r\n/);
    connection.socket.pause();
    const closed = serving.close();
    connection.socket.resume();
    const [, body = ""] = /\r\n\r\n([\s\S]*)$/.exec(await connection.toEnd()) ?? [];
    expect(body.length).toBe(3 * 1024 * 1024);
    await closed;
  });

  test("aborts a handler's request, and sends its response", async () => {
    const { cluster, serving } = await started();
    const opened = nodeHttpClient(serving.url).open({ path: "/hang" });
    while (cluster.hanging.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = serving.close();
    expect((await opened).status).toBe(200);
    await closed;
  });

  test("waits neither for clients that do not read nor for clients that do not send", async () => {
    const { serving, connection } = await connected();
    connection.socket.pause();
    connection.write("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const silent = await RawConnection.open(serving.port);
    const half = await RawConnection.open(serving.port);
    half.write("GET /status/200 HT");
    await serving.close();
    connection.socket.resume();
    await Promise.all([silent.closed, half.closed, connection.closed]);
  });

  test("can be called twice", async () => {
    const { serving } = await started();
    expect(serving.close()).toBe(serving.close());
  });
});
