import { describe, expect, test } from "vitest";
import type { ApiRequest } from "../../request/handler.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RemoteRequest, RemoteResponse, RemoteServer } from "../aggregated/remote-server.ts";
import { proxiedRequest, proxiedUpgrade } from "./proxied-request.ts";

const prefix = "/api/v1/namespaces/default/pods/web:8080/proxy";
const host = "10.0.0.7:8080";
const answer: RemoteResponse = { status: 200, headers: [], body: undefined };

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly scheme?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly pieces?: NonNullable<ApiRequest["pieces"]>;
}

/** What the server behind the proxy gets. */
async function sent({ method = "GET", target = `${prefix}/`, scheme = "", ...parts }: Sent) {
  const seen: RemoteRequest[] = [];
  const { headers = {}, body = "", pieces } = parts;
  const request = plainRequest({
    method,
    target,
    headers: new Map(Object.entries(headers)),
    body: new TextEncoder().encode(body),
  });
  if (pieces !== undefined) Object.assign(request, { pieces });
  await proxiedRequest(
    async (remote) => {
      seen.push(remote);
      return answer;
    },
    { scheme, host },
    request,
  );
  return seen[0] ?? expect.unreachable("nothing was sent");
}

async function answerTo(response: Partial<RemoteResponse>) {
  const request = plainRequest({ method: "GET", target: `${prefix}/` });
  return proxiedRequest(async () => ({ ...answer, ...response }), { scheme: "", host }, request);
}

describe("a request that a proxy sends on", () => {
  test.each([
    [`${prefix}`, "", `http://${host}/`],
    [`${prefix}/a/b?c=d&e`, "", `http://${host}/a/b?c=d&e`],
    [`${prefix}?c=/proxy/`, "http", `http://${host}/?c=/proxy/`],
    [`${prefix}/a/proxy/b`, "https", `https://${host}/a/proxy/b`],
    ["/api/v1/nodes/one/proxy/metrics", "", `http://${host}/metrics`],
  ])("%s with the scheme %j goes to %s", async (target, scheme, url) => {
    expect((await sent({ target, scheme })).url.href).toBe(url);
  });

  test("says what the client has asked, and whom", async () => {
    const headers = { host: "api.test:6443", accept: "text/html" };
    const remote = await sent({ target: `${prefix}/a?b`, headers });
    expect(remote).toMatchObject({ method: "GET", host, connection: undefined, body: undefined });
    expect(remote.headers).toEqual([
      ["accept", "text/html"],
      ["X-Forwarded-Uri", `${prefix}/a`],
      ["X-Forwarded-Host", "api.test:6443"],
      ["X-Forwarded-Proto", "https"],
    ]);
  });

  test("that ends with the proxy is for the root of the server", async () => {
    expect((await sent({ target: `${prefix}?a` })).headers[0]).toEqual(["X-Forwarded-Uri", `${prefix}/`]);
  });

  test("may have a body of 64 MiB in one piece", async () => {
    const { headers } = plainRequest({ method: "POST", target: prefix });
    const { signal } = new AbortController();
    const limits: number[] = [];
    const body = async (limit: number) => {
      limits.push(limit);
      return new Uint8Array();
    };
    const request: ApiRequest = { method: "POST", target: prefix, headers, signal, body };
    await proxiedRequest(async () => answer, { scheme: "", host }, request);
    expect(limits).toEqual([67_108_864]);
  });

  test("has no headers of the connection, no credentials and no empty ones", async () => {
    const headers = { authorization: "Bearer x", "keep-alive": "5", connection: "close", te: "trailers" };
    expect((await sent({ headers })).headers).toEqual([
      ["X-Forwarded-Uri", `${prefix}/`],
      ["X-Forwarded-Proto", "https"],
    ]);
  });

  test.each([
    ["POST", "{}"],
    ["DELETE", ""],
    ["GET", undefined],
    ["HEAD", undefined],
  ])("with the method %s sends the body %j", async (method, expected) => {
    const { body } = await sent({ method, body: expected ?? "{}" });
    expect(body instanceof Uint8Array ? new TextDecoder().decode(body) : body).toBe(expected);
  });

  test("streams a body that comes in pieces", async () => {
    async function* stream() {
      yield new Uint8Array([1]);
    }
    const body = stream();
    expect((await sent({ method: "PUT", pieces: () => body })).body).toBe(body);
  });

  test("shows no token among its subprotocols", async () => {
    const token = "base64url.bearer.authorization.k8s.io.dG9rZW4";
    const headers = { "sec-websocket-protocol": `${token}, chat`, "x-own": `${token}, chat` };
    expect((await sent({ headers })).headers.slice(0, 2)).toEqual([
      ["sec-websocket-protocol", "chat"],
      ["x-own", `${token}, chat`],
    ]);
  });

  test("cannot take up another protocol without a connection", async () => {
    const request = plainRequest({ method: "GET", target: prefix });
    const unreached = () => expect.unreachable("nothing is sent");
    await expect(proxiedUpgrade(unreached, { scheme: "", host }, request)).rejects.toMatchObject({
      code: 500,
      message: "request connection cannot be hijacked",
    });
  });
});

describe("the answer behind a proxy", () => {
  test("keeps its headers but those of its connection and its length", async () => {
    const response = await answerTo({
      status: 418,
      headers: [
        ["X-Tea", "green"],
        ["Connection", "close"],
        ["Content-Length", "3"],
        ["Date", "now"],
      ],
      body: new TextEncoder().encode("tea"),
    });
    expect([response.status, response.headers]).toEqual([
      418,
      [
        ["X-Tea", "green"],
        ["Date", "now"],
      ],
    ]);
    expect(new TextDecoder().decode(await readResponseBody(response.body))).toBe("tea");
  });

  test.each([
    ["/a?b", `${prefix}/a?b`],
    [`${prefix}/a`, `${prefix}/a`],
    [`/a${prefix}`, `${prefix}/a${prefix}`],
    [`http://${host}/a?b#c`, `${prefix}/a?b#c`],
    ["https://other.test/a", "https://other.test/a"],
    ["//other.test/a", "//other.test/a"],
    ["a/", "a/"],
  ])("that leads to %s leads the client to %s", async (location, expected) => {
    for (const name of ["Location", "LOCATION"])
      expect((await answerTo({ status: 302, headers: [[name, location]] })).headers).toEqual([
        [name, expected],
      ]);
  });

  test("leads through the host that the client has asked", async () => {
    const headers = new Map([["host", "api.test:6443"]]);
    const request = plainRequest({ method: "GET", target: `${prefix}/`, headers });
    const location = async () => ({
      ...answer,
      headers: [
        ["X-Tea", "/a"],
        ["Location", "http://api.test:6443/a"],
      ] as const,
    });
    expect((await proxiedRequest(location, { scheme: "", host }, request)).headers).toEqual([
      ["X-Tea", "/a"],
      ["Location", `http://api.test:6443${prefix}/a`],
    ]);
  });

  test.each([
    ["that is a page has links through the proxy", [], `<a href="${prefix}/x">`],
    ["that leads elsewhere stays as it is, page or not", [["Location", "/a"] as const], '<a href="/x">'],
  ])("%s", async (_title, headers, expected) => {
    const body = new TextEncoder().encode('<a href="/x">');
    const page = await answerTo({ headers: [["Content-Type", "text/html"], ...headers], body });
    expect(new TextDecoder().decode(await readResponseBody(page.body))).toBe(expected);
    const text = await answerTo({ headers: [["Content-Type", "text/plain"]], body });
    expect(text.body).toBe(body);
  });

  test("leads nowhere else by other headers", async () => {
    const headers: RemoteResponse["headers"] = [["X-Location", "/a"]];
    expect((await answerTo({ headers })).headers).toEqual(headers);
  });

  test.each([
    [new Error("EOF"), "EOF"],
    ["a text", "a text"],
  ])("is an error if the server throws %s", async (thrown, reason) => {
    const request = plainRequest({ method: "GET", target: `${prefix}/` });
    const failing = () => Promise.reject(thrown);
    await expect(proxiedRequest(failing, { scheme: "", host }, request)).rejects.toMatchObject({
      code: 503,
      message: `error trying to reach service: ${reason}`,
    });
  });
});

describe("an offer of a connection behind a proxy", () => {
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const headers: RemoteResponse["headers"] = [
    ["Connection", "upgrade"],
    ["X-Tea", "green"],
  ];

  async function offered(server: RemoteServer) {
    const request = plainRequest({ method: "GET", target: `${prefix}/a`, headers: new Map([["te", "x"]]) });
    Object.assign(request, { connection: nothing });
    return proxiedUpgrade(server, { scheme: "", host }, request);
  }

  test("goes to the server with the headers of the connection, and without a body", async () => {
    const seen: RemoteRequest[] = [];
    await offered(async (request) => {
      seen.push(request);
      return answer;
    });
    expect(seen).toMatchObject([{ method: "GET", host, body: undefined }]);
    expect([seen[0]?.url.href, seen[0]?.headers[0]]).toEqual([`http://${host}/a`, ["te", "x"]]);
    expect(seen[0]?.connection).toBeDefined();
  });

  test.each([
    ["taken up", 101, nothing(), headers],
    ["answered with a stream", 200, nothing(), headers.slice(1)],
    ["answered with 101 alone", 101, undefined, headers.slice(1)],
  ])("that is %s has the headers of the server", async (_title, status, body, expected) => {
    const response = await offered(async () => ({ status, headers, body }));
    expect(response).toEqual({ status, headers: expected, body });
  });

  test("is an error if the server throws", async () => {
    await expect(offered(() => Promise.reject(new Error("EOF")))).rejects.toMatchObject({
      code: 500,
      message: "error dialing backend: EOF",
    });
  });
});
