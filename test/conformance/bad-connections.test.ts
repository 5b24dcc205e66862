import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { nodeHttpClient } from "../transports/clients.ts";
import { RawConnection } from "../transports/raw-connection.ts";
import { type Api, apiOf } from "./api.ts";
import { identifiers } from "./masked-names.ts";

let cluster: Cluster;
let serving: Serving;
let api: Api;
let head: string;
let revision: string;

beforeAll(async () => {
  cluster = createCluster({ controllers: [], anonymousAuth: true, identifiers });
  serving = await serve(cluster, { tls: false });
  api = apiOf(nodeHttpClient(serving.url), cluster.adminToken());
  head = `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${cluster.adminToken()}\r\nContent-Type: application/json\r\n`;
});
afterAll(async () => {
  await serving.close();
  await cluster.close();
});

const currentRevision = async () =>
  (await api.ask("GET", "/api/v1/namespaces?limit=1")).object.metadata.resourceVersion;
beforeEach(async () => {
  revision = await currentRevision();
});

const body = '{"metadata":{"name":"half"},"data":{"a":"b"}}';
const megabyte = "x".repeat(1024 * 1024);
const status = /^HTTP\/1\.1 (\d+) /;

/** The bytes of a request, and the code of the response; undefined if the connection just ends. */
type Row = readonly [title: string, bytes: () => string, code: string | undefined];

describe("bytes that are not a valid request", () => {
  test.each<Row>([
    ["random bytes", () => "\0\x01\x02\x03\r\n\r\n", "400"],
    ["a method that does not exist", () => "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"],
    ["a version that does not exist", () => "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "505"],
    ["no host", () => "GET /version HTTP/1.1\r\n\r\n", "400"],
    ["a header without a name", () => "GET /version HTTP/1.1\r\nHost: localhost\r\n: y\r\n\r\n", "400"],
    ["a header with a NUL", () => "GET /version HTTP/1.1\r\nHost: localhost\r\nA: \0\r\n\r\n", "400"],
    ["a folded header", () => "GET /version HTTP/1.1\r\nHost: localhost\r\nA\r\n b\r\n\r\n", "400"],
    [
      "headers of two mebibytes",
      () => `GET /version HTTP/1.1\r\nHost: localhost\r\nA: ${megabyte}${megabyte}\r\n\r\n`,
      "431",
    ],
    [
      "a path of two mebibytes",
      () => `GET /${megabyte}${megabyte} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      "431",
    ],
    ["two lengths", () => `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${body}`, "400"],
    [
      "a length and chunks",
      () => `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      "400",
    ],
    ["a length below zero", () => `${head}Content-Length: -5\r\n\r\n${body}`, "400"],
    ["a length in words", () => `${head}Content-Length: constructor\r\n\r\n${body}`, "400"],
    ["an encoding that does not exist", () => `${head}Transfer-Encoding: __proto__\r\n\r\n${body}`, "501"],
    ["a length of more than 3 MiB", () => `${head}Content-Length: 3145729\r\n\r\n`, "413"],
    ["a length beyond safe integers", () => `${head}Content-Length: ${"9".repeat(19)}\r\n\r\n`, "413"],
    [
      "chunks of more than 3 MiB",
      () => `${head}Transfer-Encoding: chunked\r\n\r\n${`100000\r\n${megabyte}\r\n`.repeat(4)}0\r\n\r\n`,
      "413",
    ],
    ["an invalid escape", () => "GET /api/v1/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"],
    [
      "bytes that are not UTF-8 in a path",
      () => "GET /api/v1/namespaces/\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "400",
    ],
    [
      "bytes that are not UTF-8 in a header",
      () => "GET /version HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
      "401",
    ],
    [
      "10,000 headers",
      () => `GET /version HTTP/1.1\r\nHost: localhost\r\n${"a: b\r\n".repeat(10_000)}\r\n`,
      "200",
    ],
    [
      "many Authorization headers",
      () => `GET /version HTTP/1.1\r\nHost: localhost\r\n${"Authorization: Bearer x\r\n".repeat(100)}\r\n`,
      "401",
    ],
    ["a URL instead of a path", () => "GET http://x/version HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"],
    ["a star instead of a path", () => "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"],
  ])("%s", async (_title, bytes, code) => {
    const connection = await RawConnection.open(serving.port);
    connection.write(Buffer.from(bytes(), "latin1"));
    const received = await connection.until(/\r\n\r\n/);
    expect(status.exec(received)?.[1]).toBe(code);
    connection.socket.destroy();
    expect(await currentRevision()).toBe(revision);
  });
});

describe("a client that disconnects during its request", () => {
  const beginnings: readonly (readonly [title: string, bytes: () => string])[] = [
    ["in the request line", () => "POST /api/v1/na"],
    ["in the headers", () => head],
    ["in a body", () => `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`],
    ["in a chunk", () => `${head}Transfer-Encoding: chunked\r\n\r\nff\r\n${body}`],
    [
      "before the last chunk",
      () => `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
    ],
  ];
  const leaves: readonly (readonly [how: string, leave: (connection: RawConnection) => void])[] = [
    ["with a reset", ({ socket }) => socket.resetAndDestroy()],
    ["with an end", ({ socket }) => socket.end()],
  ];
  test.each(beginnings.flatMap((begin) => leaves.map((leave) => [...begin, ...leave] as const)))(
    "%s",
    async (_title, bytes, _how, leave) => {
      const connection = await RawConnection.open(serving.port);
      connection.write(bytes());
      await new Promise((resolve) => setImmediate(resolve));
      leave(connection);
      await connection.closed;
      expect(await currentRevision()).toBe(revision);
      expect((await api.ask("GET", "/api/v1/namespaces/default/configmaps/half")).status).toBe(404);
    },
  );
});

test("500 silent connections that are reset do not affect the server", async () => {
  const connections = await Promise.all(Array.from({ length: 500 }, () => RawConnection.open(serving.port)));
  for (const { socket } of connections) socket.resetAndDestroy();
  expect((await api.ask("GET", "/version")).status).toBe(200);
});
