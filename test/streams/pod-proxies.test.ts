import { createHash } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { Agent, WebSocket } from "undici-7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { serve } from "../../src/transports/node/serve.ts";

let cluster: Cluster;

beforeAll(async () => {
  const containers = [{ name: "c", image: "i", ports: [{ containerPort: 8080 }] }];
  const service = (name: string) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { ports: [{ name: "http", port: 80 }] },
  });
  cluster = createCluster({
    controllers: [],
    objects: [
      { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers } },
      { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
      service("front"),
      service("given"),
      {
        apiVersion: "v1",
        kind: "Endpoints",
        metadata: { name: "front" },
        subsets: [
          {
            addresses: [{ ip: "10.0.0.9", targetRef: { kind: "Pod", name: "web" } }],
            ports: [{ name: "http", port: 8080 }],
          },
        ],
      },
    ],
  });
  cluster.pod("web").onProxy(async (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/fail") throw new Error("broken");
    if (url.pathname === "/away") return new Response(null, { status: 302, headers: { location: "/home" } });
    if (url.pathname === "/out")
      return new Response(null, { status: 302, headers: { location: "https://example.com/x" } });
    if (url.pathname === "/page")
      return new Response('<a href="/x">&copy;</a>', {
        headers: { "content-type": "text/html; charset=utf-8", "access-control-allow-origin": "*" },
      });
    if (url.pathname === "/packed")
      return new Response(gzipSync('<a href="/x">'), {
        headers: { "content-type": "text/html", "content-encoding": "gzip" },
      });
    if (url.pathname === "/damaged")
      return new Response("no gzip", {
        headers: { "content-type": "text/html", "content-encoding": "gzip" },
      });
    if (url.pathname === "/foreign")
      return new Response('<a href="/x">', {
        headers: { "content-type": "text/html", "content-encoding": "br" },
      });
    if (url.pathname === "/text") return new Response('<a href="/x">');
    if (url.pathname === "/socket")
      return (
        request.upgrade?.(
          async ({ received, send }) => {
            await send("hello");
            for await (const message of received) await send(`${Buffer.from(message)}!`);
          },
          { protocol: "chat" },
        ) ?? new Response("no WebSocket")
      );
    const seen = ["authorization", "x-own", "x-forwarded-uri"].map((name) => request.headers.get(name));
    return Response.json(
      { method: request.method, url: url.href, seen, body: await request.text() },
      { status: 201 },
    );
  });
  cluster.node("n").onProxy((request) => new Response(`node ${new URL(request.url).pathname}`));
});

afterAll(() => cluster.close());

async function reach(path: string, init: RequestInit = {}) {
  const response = await cluster.fetch(`https://cluster.test/api/v1${path}`, {
    redirect: "manual",
    ...init,
    headers: { authorization: `Bearer ${cluster.adminToken()}`, "x-own": "1" },
  });
  const text = await response.text();
  return { code: response.status, location: response.headers.get("location"), text };
}

const pods = "/namespaces/default/pods";
const services = "/namespaces/default/services";

test.each([
  ["a pod", `${pods}/web/proxy/a%20b?c=d`, "http://web:8080/a%20b?c=d", `${pods}/web/proxy/a%20b`],
  ["a port of a pod", `${pods}/https:web:9/proxy/`, "https://web:9/", `${pods}/https:web:9/proxy/`],
  [
    "a service, at the pod of its endpoint",
    `${services}/front:http/proxy/x`,
    "http://10.0.0.9:8080/x",
    `${services}/front:http/proxy/x`,
  ],
])("%s gets the request without the credentials of the client", async (_title, path, url, forwarded) => {
  const { code, text } = await reach(path, { method: "POST", body: "hello" });
  expect(code).toBe(201);
  expect(JSON.parse(text)).toEqual({
    method: "POST",
    url,
    seen: [null, "1", `/api/v1${forwarded}`],
    body: "hello",
  });
});

test("a node answers", async () => {
  expect(await reach("/nodes/n/proxy/healthz")).toMatchObject({ code: 200, text: "node /healthz" });
});

test.each([
  ["/away", "/api/v1/namespaces/default/pods/web/proxy/home"],
  ["/out", "https://example.com/x"],
])("a redirect of %s leads to %s", async (path, location) => {
  expect(await reach(`${pods}/web/proxy${path}`)).toMatchObject({ code: 302, location });
});

test("a path without a slash is redirected", async () => {
  expect(await reach(`${pods}/web/proxy?a=b`)).toMatchObject({
    code: 301,
    location: `/api/v1${pods}/web/proxy/?a=b`,
  });
});

test("a script that throws is a server that cannot be reached", async () => {
  const { code, text } = await reach(`${pods}/web/proxy/fail`);
  expect([code, JSON.parse(text).message]).toEqual([503, "error trying to reach service: broken"]);
});

test("a service leads to the server that the test names", async () => {
  const local = http.createServer((request, response) => response.end(`local ${request.url}`));
  await once(local.listen(0, "127.0.0.1"), "listening");
  const { port } = local.address() as AddressInfo;
  const address = cluster.serviceAt("default/given", `127.0.0.1:${port}`);
  expect(await reach(`${services}/given/proxy/x?y`)).toMatchObject({ code: 200, text: "local /x?y" });
  address.remove();
  expect(await reach(`${services}/given/proxy/x`)).toMatchObject({ code: 503 });
  local.close();
});

const prefix = `/api/v1${pods}/web/proxy`;

test.each([
  ["a page, whose links lead through the proxy", "/page", `<a href="${prefix}/x">&copy;</a>`],
  ["a page in an encoding that the server does not read", "/foreign", '<a href="/x">'],
  ["text", "/text", '<a href="/x">'],
])("%s", async (_title, path, text) => {
  expect(await reach(`${pods}/web/proxy${path}`)).toMatchObject({ code: 200, text });
});

test("a compressed page stays compressed, with other links", async () => {
  const url = `https://cluster.test${prefix}/packed`;
  const response = await cluster.fetch(url, { headers: { authorization: `Bearer ${cluster.adminToken()}` } });
  // The client decompresses what says that it is compressed.
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(await response.text()).toBe(`<a href="${prefix}/x">`);
});

test("a damaged page is an error", async () => {
  expect(await reach(`${pods}/web/proxy/damaged`)).toMatchObject({ code: 503 });
});

/** The messages of the server, the first of which the client answers, and the subprotocol. */
async function talk(url: string, path: string, wanted: number) {
  const dispatcher = new Agent();
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, {
    protocols: ["chat"],
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
    dispatcher,
  });
  const heard: string[] = [];
  await new Promise<void>((resolve) => {
    socket.addEventListener("message", ({ data }) => {
      heard.push(String(data));
      if (heard.length === 1) for (const message of ["a", "b"]) socket.send(message);
      if (heard.length === wanted) resolve();
    });
    socket.addEventListener("close", () => resolve());
  });
  socket.close();
  await dispatcher.destroy();
  return { heard, protocol: socket.protocol };
}

/** The status with which a server refuses a WebSocket. */
async function refusal(url: string, path: string): Promise<number | undefined> {
  const headers = {
    authorization: `Bearer ${cluster.adminToken()}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-key": "x",
    "sec-websocket-version": "13",
  };
  const request = http.get(`${url}${path}`, { headers });
  const [response] = await once(request, "response");
  response.resume();
  return response.statusCode;
}

/** A server that opens WebSockets, says where, and leaves. */
async function localServer(): Promise<http.Server> {
  const server = http.createServer();
  server.on("upgrade", ({ url, headers }, socket) => {
    const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accepted = createHash("sha1").update(key).digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: websocket"];
    lines.push(`Sec-WebSocket-Accept: ${accepted}`, "Sec-WebSocket-Protocol: chat", "", "");
    const said = Buffer.from(`local ${url}`);
    socket.end(Buffer.concat([Buffer.from(lines.join("\r\n")), Buffer.of(0x81, said.length), said]));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

test("WebSockets go through the proxies of pods and services to functions and servers", async () => {
  const server = await serve(cluster, { tls: false });
  const local = await localServer();
  const { port } = local.address() as AddressInfo;
  const address = cluster.serviceAt("default/given", `127.0.0.1:${port}`);
  const spoken = { heard: ["hello", "a!", "b!"], protocol: "chat" };
  expect(await talk(server.url, `${prefix}/socket`, 3)).toEqual(spoken);
  expect(await talk(server.url, `/api/v1${services}/front:http/proxy/socket`, 3)).toEqual(spoken);
  expect(await talk(server.url, `/api/v1${services}/given/proxy/x?y`, 1)).toEqual({
    heard: ["local /x?y"],
    protocol: "chat",
  });
  expect(await refusal(server.url, `${prefix}/text?watch=1`)).toBe(200);
  expect(await refusal(server.url, `${prefix}/fail`)).toBe(503);
  address.remove();
  local.close();
  await server.close();
});

test("an unknown option of upgrade is an error for the script, and a connection that fails for the client", async () => {
  const server = await serve(cluster, { tls: false });
  let problem: unknown;
  using _script = cluster.pod("web").onProxy((request) => {
    try {
      // What JavaScript may pass.
      const options: object = { protocl: "chat" };
      return request.upgrade?.(() => {}, options) ?? new Response("no WebSocket");
    } catch (error) {
      problem = error;
      throw error;
    }
  });
  expect(await refusal(server.url, `${prefix}/socket`)).toBe(503);
  expect(problem).toEqual(new TypeError('upgrade: unknown option "protocl"; did you mean "protocol"?'));
  await server.close();
});

test("transports without connections answer a WebSocket with 500", async () => {
  const values = new Map([
    ["authorization", `Bearer ${cluster.adminToken()}`],
    ["connection", "Upgrade"],
    ["upgrade", "websocket"],
  ]);
  const headers = {
    get: (name: string) => values.get(name.toLowerCase()),
    getAll: (name: string) => [values.get(name.toLowerCase())].filter((value) => value !== undefined),
    startingWith: (start: string) => [...values].filter(([name]) => name.startsWith(start)),
  };
  const { signal } = new AbortController();
  const request = {
    method: "GET",
    target: `${prefix}/socket`,
    headers,
    body: async () => new Uint8Array(),
    signal,
  };
  const { status, body } = await cluster.handler(request, inProcessPeer);
  const pieces: Uint8Array[] = [];
  for await (const piece of body instanceof Uint8Array ? [body] : (body ?? [])) pieces.push(piece);
  expect([status, Buffer.concat(pieces).toString()]).toEqual([
    500,
    "request connection cannot be hijacked\n",
  ]);
});
