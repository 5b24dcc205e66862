import { expect, test } from "vitest";
import { inProcessPeer } from "../../request/peer.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { isUpgradeRequest, proxyUpgrade } from "./proxied-upgrade.ts";
import type { RemoteRequest, RemoteResponse, RemoteServer } from "./remote-server.ts";

const target = "/apis/metrics.k8s.io/v1beta1/stream";
const token = "base64url.bearer.authorization.k8s.io.dG9rZW4";

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** What a server sees of an offer with these headers, by name in lower case. */
async function offered(headers: Readonly<Record<string, string>>, method = "GET"): Promise<RemoteRequest> {
  const seen: RemoteRequest[] = [];
  const server: RemoteServer = async (request) => {
    seen.push(request);
    return { status: 400, headers: [], body: undefined };
  };
  const request = plainRequest({ method, target, headers: new Map(Object.entries(headers)) });
  Object.assign(request, { connection: nothing });
  const user = { name: "alice", uid: "", groups: [], extra: {} };
  // `proxyUpgrade` reads nothing else.
  const context = { request, peer: inProcessPeer, user } as Partial<RequestContext> as RequestContext;
  const url = new URL(target, "https://s.n.svc");
  await proxyUpgrade(context, { server, url, host: "s.n.svc:443", hasUids: false });
  return seen[0] ?? expect.unreachable("nothing was sent");
}

test.each([
  [`${token}, v1.test`, ["v1.test"]],
  ["v1.test", ["v1.test"]],
  [token, []],
  [`v1.test,${token}, v2.test`, ["v1.test, v2.test"]],
])("of the subprotocols %j, the server sees %j", async (sent, protocols) => {
  const { headers } = await offered({ upgrade: "websocket", "sec-websocket-protocol": sent });
  const seen = headers.filter(([name]) => name === "sec-websocket-protocol");
  expect(seen.map(([, value]) => value)).toEqual(protocols);
});

test.each([
  ["GET", []],
  ["HEAD", []],
  ["POST", ["0"]],
])("%s sends the lengths %j, since the connection has no body", async (method, lengths) => {
  const { headers, body } = await offered({ upgrade: "websocket", "content-length": "7" }, method);
  const seen = headers.filter(([name]) => name.toLowerCase() === "content-length");
  expect([seen.map(([, value]) => value), body]).toEqual([lengths, undefined]);
});

/** What a client gets if the server answers its offer. */
async function answerTo(response: RemoteResponse | Error | string): Promise<readonly [number, string]> {
  const request = plainRequest({ method: "GET", target });
  Object.assign(request, { connection: nothing });
  const user = { name: "alice", uid: "", groups: [], extra: {} };
  // `proxyUpgrade` reads nothing else.
  const context = { request, peer: inProcessPeer, user } as Partial<RequestContext> as RequestContext;
  const server: RemoteServer = async () => {
    if (response instanceof Error || typeof response === "string") throw response;
    return response;
  };
  const url = new URL(target, "https://s.n.svc");
  const { status, body } = await proxyUpgrade(context, { server, url, host: "s.n.svc:443", hasUids: false });
  return [status, new TextDecoder().decode(await readResponseBody(body))];
}

test.each([
  [101, 503, "invalid upgrade response: status code 101\n"],
  [200, 503, "invalid upgrade response: status code 200\n"],
  [399, 503, "invalid upgrade response: status code 399\n"],
  [400, 400, "no"],
  [500, 500, "no"],
])("an answer of %i without a stream becomes %i", async (status, expected, text) => {
  expect(await answerTo({ status, headers: [], body: new TextEncoder().encode("no") })).toEqual([
    expected,
    text,
  ]);
});

test("a stream that comes with 101 is taken up, and one with another code is closed", async () => {
  let isClosed = false;
  async function* stream() {
    try {
      yield new TextEncoder().encode("hello");
    } finally {
      isClosed = true;
    }
  }
  expect(await answerTo({ status: 101, headers: [], body: stream() })).toEqual([101, "hello"]);
  const opened = stream();
  await opened.next();
  isClosed = false;
  const failed = await answerTo({ status: 200, headers: [], body: opened });
  expect([failed, isClosed]).toEqual([[503, "invalid upgrade response: status code 200\n"], true]);
});

test("an error of the connection is one of the answer", async () => {
  for (const error of [new Error("EOF"), "EOF"])
    expect(await answerTo(error)).toEqual([503, "error dialing backend: EOF\n"]);
});

test("a request without a connection has none to take up", async () => {
  const request = plainRequest({ method: "GET", target });
  const context = { request } as Partial<RequestContext> as RequestContext;
  const server: RemoteServer = () => expect.unreachable("nothing is sent");
  const url = new URL(target, "https://s.n.svc");
  const { status, body } = await proxyUpgrade(context, { server, url, host: "s.n.svc:443", hasUids: false });
  expect([status, new TextDecoder().decode(await readResponseBody(body))]).toEqual([
    503,
    "request connection cannot be hijacked: only HTTP/1.1 on a port has connections\n",
  ]);
});

test.each([
  [{ connection: "Upgrade", upgrade: "websocket" }, true],
  [{ connection: "keep-alive, upgrade", upgrade: "SPDY/3.1" }, true],
  [{ connection: "upgrade" }, true],
  [{ connection: "keep-alive", upgrade: "websocket" }, false],
  [{ upgrade: "websocket" }, false],
  [{ connection: "Upgrade", upgrade: "H2C" }, false],
])("a request with %j requests another protocol: %s", (headers, expected) => {
  const request = plainRequest({ method: "GET", target, headers: new Map(Object.entries(headers)) });
  expect(isUpgradeRequest(request)).toBe(expected);
});

test("the addresses that an offer comes from are named once, and other headers stay as they are", async () => {
  const { headers } = await offered({
    upgrade: "websocket",
    "x-forwarded-for": "10.0.0.1",
    "x-protocols": `${token}, v1.test`,
  });
  expect(headers.filter(([name]) => name.toLowerCase().startsWith("x-"))).toEqual([
    ["x-protocols", `${token}, v1.test`],
    ["X-Forwarded-For", "10.0.0.1"],
    ["X-Remote-User", "alice"],
  ]);
});
