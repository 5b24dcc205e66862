import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { WebSocket } from "undici-7";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";

const name = "v1beta1.metrics.k8s.io";
const gv = "/apis/metrics.k8s.io/v1beta1";
const service = { namespace: "kube-system", name: "metrics-server" };
const authority = createAuthority();
const proxyAuthority = createAuthority();
const proxy = proxyAuthority.issue({ commonName: "front-proxy", usage: "client" });

let cluster: Cluster;
let port: Serving;
let server: https.Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let takeUp: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

beforeAll(async () => {
  const hosts = ["metrics-server.kube-system.svc"];
  const { certificate: cert, key } = authority.issue({ commonName: "metrics", usage: "server", hosts });
  const trust = { requestCert: true, rejectUnauthorized: false, ca: proxyAuthority.certificate };
  server = https.createServer({ cert, key, ...trust }, (request, response) => {
    if (request.url === gv) response.end(JSON.stringify({ kind: "APIResourceList", resources: [] }));
    else if (request.url?.startsWith(gv)) answer(request, response);
    else response.writeHead(404).end();
  });
  server.on("upgrade", (request, socket, head) => takeUp(request, socket, head));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  cluster = createCluster({
    requestheaderClientCa: proxyAuthority.certificate,
    requestheaderUsernameHeaders: ["X-Remote-User"],
    requestheaderGroupHeaders: ["X-Remote-Group"],
    requestheaderExtraHeadersPrefix: ["X-Remote-Extra-"],
    requestheaderAllowedNames: ["front-proxy"],
    proxyClientCert: proxy.certificate,
    proxyClientKey: proxy.key,
  });
  port = await serve(cluster, { tls: false });
  const { port: listening } = server.address() as AddressInfo;
  cluster.serviceAt("kube-system/metrics-server", `127.0.0.1:${listening}`);
  await register(authority.certificate);
});
afterAll(async () => {
  await port.close();
  await cluster.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function register(trusted: string): Promise<void> {
  const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
  const caBundle = Buffer.from(trusted).toString("base64");
  const spec = { group: "metrics.k8s.io", version: "v1beta1", service, caBundle, ...priorities };
  await cluster.apply({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name },
    spec,
  });
  await cluster.settle();
}

async function availability(): Promise<unknown> {
  const { status } = await cluster.get("apiregistration.k8s.io/v1", "APIService", name);
  return status?.conditions?.map(({ reason, message }) => [reason, message]);
}

function send(path: string, init: RequestInit & { readonly duplex?: "half" } = {}): Promise<Response> {
  const authorization = `Bearer ${cluster.token("alice", { groups: ["dev"], uid: "7" })}`;
  return fetch(`${port.url}${gv}${path}`, { ...init, headers: { authorization } });
}

test("the server at an address sees the front proxy and its user", async () => {
  expect(await availability()).toEqual([["Passed", "all checks passed"]]);
  let client: string | readonly string[] | undefined;
  const seen = new Promise<IncomingMessage>((resolve) => {
    answer = (request, response) => {
      // The server has TLS.
      client = (request.socket as TLSSocket).getPeerCertificate().subject.CN;
      resolve(request);
      response.end("{}");
    };
  });
  expect((await send("/nodes?limit=1")).status).toBe(200);
  const { headers, rawHeaders, url } = await seen;
  expect(client).toBe("front-proxy");
  expect(url).toBe(`${gv}/nodes?limit=1`);
  expect(headers).toMatchObject({ host: "metrics-server.kube-system.svc:443", "x-remote-user": "alice" });
  expect(headers).not.toHaveProperty("authorization");
  const groups = rawHeaders.filter((_, index) => rawHeaders[index - 1] === "X-Remote-Group");
  expect(groups).toEqual(["dev", "system:authenticated"]);
});

test("the ConfigMap for extension servers has the authority of the front proxy, and reviews answer them", async () => {
  const { data } = await cluster.get("v1", "ConfigMap", "extension-apiserver-authentication", {
    namespace: "kube-system",
  });
  expect(data).toMatchObject({
    "requestheader-client-ca-file": proxyAuthority.certificate,
    "requestheader-username-headers": '["X-Remote-User"]',
    "requestheader-allowed-names": '["front-proxy"]',
  });
  const token = cluster.token("alice", { groups: ["dev"] });
  const tokenReview = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } };
  expect(await cluster.create(tokenReview)).toMatchObject({
    status: { authenticated: true, user: { username: "alice" } },
  });
  const resourceAttributes = { group: "metrics.k8s.io", version: "v1beta1", resource: "nodes", verb: "list" };
  const spec = { user: "alice", groups: ["dev"], resourceAttributes };
  const accessReview = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
  expect(await cluster.create(accessReview)).toMatchObject({ status: { allowed: true } });
});

test("bodies stream in both directions, and the server learns that a client has left", async () => {
  const size = 8 * 1024 * 1024;
  let received = 0;
  answer = (request, response) => {
    request.on("data", (piece: Uint8Array) => {
      received += piece.byteLength;
    });
    request.on("end", () => response.end(Buffer.alloc(size)));
  };
  // No API of this server takes as much.
  const big = await send("/nodes", { method: "POST", body: new Uint8Array(size) });
  expect([(await big.arrayBuffer()).byteLength, received]).toEqual([size, size]);
  const left = new Promise<void>((resolve) => {
    answer = (_request, response) => {
      response.write("{}\n");
      response.on("close", resolve);
    };
  });
  const stop = new AbortController();
  const watch = await send("/nodes?watch=1", { signal: stop.signal });
  const first = await watch.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toBe("{}\n");
  stop.abort();
  await left;
});

/** The answer that opens a WebSocket. */
function handshakeOf(key: string): string {
  const accepted = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accepted}`,
    "Sec-WebSocket-Protocol: v1.test\r\n\r\n",
  ].join("\r\n");
}

/** A connection to the port on which a client requests another protocol. */
function upgrading(path: string, protocol: string, headers: readonly string[] = [], more = ""): Socket {
  const socket = connect({ port: Number(new URL(port.url).port), host: "127.0.0.1", allowHalfOpen: true });
  const lines = [
    `POST ${gv}${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    `Upgrade: ${protocol}`,
    `Authorization: Bearer ${cluster.token("alice", { groups: ["dev"] })}`,
    ...headers,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${more}`);
  return socket;
}

describe("a connection for another protocol", () => {
  test.each(["websocket", "SPDY/3.1"])("is handed to the server: %s", async (protocol) => {
    const seen: IncomingMessage["headers"][] = [];
    takeUp = (request, socket, head) => {
      seen.push(request.headers);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${protocol}\r\nconnection: Upgrade\r\n\r\n`);
      socket.write(head);
      socket.pipe(socket);
    };
    const socket = upgrading("/pods/a/exec?command=ls", protocol, ["X-Remote-User: root"], "early ");
    // More than the buffers on the way hold.
    const sent = "x".repeat(4 * 1024 * 1024);
    socket.write(`${sent}end`);
    let answered = "";
    for await (const piece of socket) {
      answered += String(piece);
      if (answered.endsWith("end")) socket.end();
    }
    const [head = "", echo] = answered.split("\r\n\r\n");
    expect(head.split("\r\n")).toEqual([
      "HTTP/1.1 101 Switching Protocols",
      `Upgrade: ${protocol}`,
      "connection: Upgrade",
    ]);
    expect(echo === `early ${sent}end`).toBe(true);
    expect(seen).toMatchObject([
      { upgrade: protocol, "x-remote-user": "alice", "x-forwarded-for": "127.0.0.1" },
    ]);
    expect(seen[0]).not.toHaveProperty("authorization");
  });

  test("is open for messages of a WebSocket, and the server does not see the token", async () => {
    const protocols: (string | undefined)[] = [];
    takeUp = ({ headers }, socket) => {
      protocols.push(headers["sec-websocket-protocol"]);
      socket.write(handshakeOf(headers["sec-websocket-key"] ?? ""));
      socket.on("data", (frame: Buffer) => {
        const isText = frame[0] === 0x81;
        if (isText) socket.write(Buffer.concat([Buffer.from([0x81, 4]), Buffer.from("seen")]));
        else socket.end(Buffer.from([0x88, 2, 0x03, 0xe8]));
      });
    };
    const token = Buffer.from(cluster.token("alice", {})).toString("base64url");
    const names = [`base64url.bearer.authorization.k8s.io.${token}`, "v1.test"];
    const client = new WebSocket(`${port.url.replace("http", "ws")}${gv}/stream?watch=1`, names);
    client.addEventListener("open", () => client.send("hello"));
    const message = await new Promise<unknown>((resolve) => {
      client.addEventListener("message", ({ data }) => resolve(data));
    });
    expect([message, client.protocol]).toEqual(["seen", "v1.test"]);
    const closed = new Promise<number>((resolve) => {
      client.addEventListener("close", ({ code }) => resolve(code));
    });
    client.close(1000);
    expect(await closed).toBe(1000);
    expect(protocols).toEqual(["v1.test"]);
  });

  test.each<[string, (socket: Duplex) => void, answered: RegExp]>([
    [
      "refuses",
      (socket) => socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"),
      /^HTTP\/1.1 403 Forbidden\r\n[\s\S]*\r\nno\r\n/,
    ],
    [
      "ignores it",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
      /^HTTP\/1.1 503 Service Unavailable\r\n[\s\S]*invalid upgrade response: status code 200\n$/,
    ],
    [
      "hangs up",
      (socket) => socket.destroy(),
      /^HTTP\/1.1 503 Service Unavailable\r\n[\s\S]*error dialing backend: /,
    ],
  ])("is answered as upstream does if the server %s", async (_title, take, answered) => {
    takeUp = (_request, socket) => take(socket);
    expect(await text(upgrading("/pods/a/exec", "SPDY/3.1"))).toMatch(answered);
  });

  test("ends on both sides if one leaves", async () => {
    const left = new Promise<void>((resolve) => {
      takeUp = (_request, socket) => {
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n");
        socket.once("close", resolve);
        socket.on("error", () => {});
        socket.resume();
      };
    });
    const socket = upgrading("/pods/a/exec", "SPDY/3.1");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.resetAndDestroy();
    await left;
  });

  test("needs a port with connections", async () => {
    const headers = { connection: "Upgrade", upgrade: "SPDY/3.1" };
    const response = await cluster.fetch(`https://cluster.test${gv}/pods/a/exec`, { headers });
    expect([response.status, await response.text()]).toEqual([
      503,
      "request connection cannot be hijacked: only HTTP/1.1 on a port has connections\n",
    ]);
  });

  test("cannot be handed to a function", async () => {
    using _target = await cluster.apiServer(name, () => Response.json({ kind: "APIResourceList" }));
    await cluster.settle();
    expect(await text(upgrading("/pods/a/exec", "SPDY/3.1"))).toContain(
      "error dialing backend: a function cannot take up another protocol; give the Service an address instead\n",
    );
  });
});

test("a server that another authority has certified is not trusted", async () => {
  await register(proxyAuthority.certificate);
  expect(await availability()).toEqual([
    [
      "FailedDiscoveryCheck",
      expect.stringContaining(
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
      ),
    ],
  ]);
  await register(authority.certificate);
  expect(await availability()).toEqual([["Passed", "all checks passed"]]);
});
