import { describe, expect, test } from "vitest";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { ApiRequest } from "../../request/handler.ts";
import { inProcessPeer } from "../../request/peer.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { userHeaders } from "./proxied-headers.ts";
import { proxy } from "./proxy.ts";
import type { RemoteRequest, RemoteResponse, RemoteServer } from "./remote-server.ts";

const alice: UserInfo = { name: "alice", uid: "7", groups: ["dev", "ops"], extra: {} };
const host = "metrics.kube-system.svc:443";
const answer: RemoteResponse = { status: 200, headers: [], body: undefined };

/** What a proxy needs of a context. */
function contextOf(request: ApiRequest, remoteAddress = ""): RequestContext {
  const peer = { ...inProcessPeer, remoteAddress };
  // `proxy` reads nothing else.
  return { request, peer, user: alice } as RequestContext;
}

async function sentBy(
  parts: Parameters<typeof plainRequest>[0],
  { remoteAddress = "", hasUids = false, pieces }: SentOptions = {},
): Promise<RemoteRequest> {
  const seen: RemoteRequest[] = [];
  const server: RemoteServer = async (request) => {
    seen.push(request);
    return answer;
  };
  const request = plainRequest(parts);
  if (pieces !== undefined) Object.assign(request, { pieces });
  await proxy(contextOf(request, remoteAddress), server, { host, hasUids });
  return seen[0] ?? expect.unreachable("nothing was sent");
}

interface SentOptions {
  readonly remoteAddress?: string;
  readonly hasUids?: boolean;
  readonly pieces?: NonNullable<ApiRequest["pieces"]>;
}

async function answerTo(response: Partial<RemoteResponse> | Error) {
  const server: RemoteServer = async () => {
    if (response instanceof Error) throw response;
    return { ...answer, ...response };
  };
  const request = plainRequest({ method: "GET", target: "/apis/metrics.k8s.io/v1beta1/nodes" });
  const { body, ...rest } = await proxy(contextOf(request), server, { host, hasUids: false });
  return { ...rest, body: new TextDecoder().decode(await readResponseBody(body)) };
}

describe("the headers that name a user", () => {
  const user: UserInfo = {
    name: "alice",
    uid: "7",
    groups: ["dev", "ops"],
    extra: { "Example.com/Über%": ["1", "2"] },
  };
  const names = [
    ["X-Remote-Group", "dev"],
    ["X-Remote-Group", "ops"],
    ["X-Remote-Extra-example.com%2F%C3%BCber%25", "1"],
    ["X-Remote-Extra-example.com%2F%C3%BCber%25", "2"],
  ];

  test.each([
    ["with its uid", user, true, [["X-Remote-User", "alice"], ["X-Remote-Uid", "7"], ...names]],
    [
      "without its uid on a server that does not send it",
      user,
      false,
      [["X-Remote-User", "alice"], ...names],
    ],
    ["without a uid that is empty", { ...user, uid: "" }, true, [["X-Remote-User", "alice"], ...names]],
  ])("%s", (_title, named, hasUids, expected) => {
    expect(userHeaders(named, hasUids)).toEqual(expected);
  });

  test("escape what no name of a header contains", () => {
    const extra = { "a!#$&'*+.^_`|~9-\n\x01": ["x"] };
    expect(userHeaders({ ...alice, groups: [], extra }, false)).toEqual([
      ["X-Remote-User", "alice"],
      ["X-Remote-Extra-a!#$&'*+.^_`|~9-%0A%01", "x"],
    ]);
  });
});

describe("a request for another server", () => {
  test("may have a body of 64 MiB in one piece", async () => {
    const { headers } = plainRequest({ method: "POST", target: "/" });
    const limits: number[] = [];
    const body = async (limit: number) => {
      limits.push(limit);
      return new Uint8Array();
    };
    const { signal } = new AbortController();
    const request: ApiRequest = { method: "POST", target: "/", headers, signal, body };
    await proxy(contextOf(request), async () => answer, { host, hasUids: false });
    expect(limits).toEqual([67_108_864]);
  });

  test("for another protocol needs a connection", async () => {
    const headers = new Map([["connection", "Upgrade"]]);
    const request = plainRequest({ method: "GET", target: "/", headers });
    const { status, body } = await proxy(contextOf(request), async () => answer, { host, hasUids: false });
    expect(status).toBe(503);
    expect(new TextDecoder().decode(await readResponseBody(body))).toMatch(
      /^request connection cannot be hijacked/,
    );
  });

  test("fails with what the server throws, whatever it is", async () => {
    const request = plainRequest({ method: "GET", target: "/" });
    for (const thrown of [new Error("EOF"), "EOF"]) {
      const server: RemoteServer = () => Promise.reject(thrown);
      const { status, body } = await proxy(contextOf(request), server, { host, hasUids: false });
      const text = new TextDecoder().decode(await readResponseBody(body));
      expect([status, text]).toEqual([503, "error trying to reach service: EOF\n"]);
    }
  });

  const target = "/apis/metrics.k8s.io/v1beta1/nodes";
  const own = [
    ["X-Forwarded-Host", host],
    ["X-Forwarded-Proto", "https"],
    ["X-Forwarded-Uri", target],
    ["X-Remote-User", "alice"],
    ["X-Remote-Group", "dev"],
    ["X-Remote-Group", "ops"],
  ];
  const headersFor = async (headers: Readonly<Record<string, string>>, options: SentOptions = {}) =>
    (await sentBy({ method: "GET", target, headers: new Map(Object.entries(headers)) }, options)).headers;

  test("has its method, and its query in the order of the names", async () => {
    const sent = await sentBy({ method: "PATCH", target: `${target}?b=2&a=%2F&b=1` });
    expect([sent.method, sent.host, sent.url.href]).toEqual([
      "PATCH",
      host,
      `https://metrics.kube-system.svc${target}?a=%2F&b=2&b=1`,
    ]);
  });

  test.each([
    ["accept", "application/json"],
    ["x-remote", "kept"],
    ["x-host", "kept"],
    ["authorization-x", "kept"],
  ])("keeps the header %s", async (name, value) => {
    expect(await headersFor({ [name]: value })).toEqual([[name, value], ...own]);
  });

  test.each([
    ...["authorization", "content-length", "host", ":path", "impersonate-user", "impersonate-extra-x"],
    ...["x-remote-user", "x-remote-uid", "x-remote-group", "x-remote-extra-a"],
    ...["x-forwarded-uri", "x-forwarded-host", "x-forwarded-proto"],
    ...["connection", "http2-settings", "keep-alive", "proxy-authenticate", "proxy-authorization"],
    ...["proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"],
  ])("does not pass the header %s on", async (name) => {
    expect(await headersFor({ [name]: "sent" })).toEqual(own);
  });

  test("loses the headers that Connection names", async () => {
    const headers = { connection: "X-One, x-two", "x-one": "1", "x-two": "2", "x-three": "3" };
    expect(await headersFor(headers)).toEqual([["x-three", "3"], ...own]);
  });

  test.each([
    [{}, "", []],
    [{}, "10.0.0.1", [["X-Forwarded-For", "10.0.0.1"]]],
    [{ "x-forwarded-for": "10.0.0.2" }, "", [["X-Forwarded-For", "10.0.0.2"]]],
    [{ "x-forwarded-for": "10.0.0.2" }, "10.0.0.1", [["X-Forwarded-For", "10.0.0.2, 10.0.0.1"]]],
  ])("with %j from %j says whom it comes from", async (headers, remoteAddress, expected) => {
    expect(await headersFor(headers, { remoteAddress })).toEqual([...expected, ...own]);
  });

  test("names the uid of the user if the server does that", async () => {
    expect(await headersFor({}, { hasUids: true })).toContainEqual(["X-Remote-Uid", "7"]);
  });

  test.each([
    ["POST", "{}", "{}"],
    ["DELETE", "{}", "{}"],
    ["POST", "", undefined],
    ["GET", "{}", undefined],
    ["HEAD", "{}", undefined],
  ])("%s with the body %j sends %j", async (method, text, expected) => {
    const { body } = await sentBy({ method, target, body: new TextEncoder().encode(text) });
    expect(body instanceof Uint8Array ? new TextDecoder().decode(body) : body).toBe(expected);
  });

  test("streams a body that has not come whole", async () => {
    async function* stream() {
      yield new Uint8Array([1]);
    }
    const body = stream();
    expect((await sentBy({ method: "POST", target }, { pieces: () => body })).body).toBe(body);
    expect((await sentBy({ method: "GET", target }, { pieces: () => body })).body).toBeUndefined();
  });
});

describe("the answer of another server", () => {
  const text = (body: string) => new TextEncoder().encode(body);
  const redirects = "the backend attempted to redirect this request, which is not permitted";

  test("has the names of its headers as Go writes them, without those of the connection and those that this server sets", async () => {
    const kept = [
      ["Content-Type", "text/plain"],
      ["X-Content-Type-Options", "nosniff"],
    ];
    const headers: [string, string][] = [
      ["content-type", "text/plain"],
      ["X-CONTENT-type-options", "nosniff"],
    ];
    const dropped = ["Connection", "TE", "Transfer-Encoding", "Audit-Id", "content-length", "Date"];
    const origins = ["Allow-Credentials", "Allow-Headers", "Allow-Methods", "Allow-Origin", "Expose-Headers"];
    for (const name of [...dropped, ...origins.map((end) => `Access-Control-${end}`)])
      headers.push([name, "x"]);
    expect(await answerTo({ status: 201, headers, body: text("ok") })).toEqual({
      status: 201,
      headers: kept,
      body: "ok",
    });
  });

  test.each([
    [301, [["Location", "/"]], 502],
    [300, [["location", "/"]], 502],
    [399, [["LOCATION", "/"]], 502],
    [304, [], 304],
    [302, [["X-Location", "/"]], 302],
    [400, [["Location", "/"]], 400],
    [201, [["Location", "/"]], 201],
    [299, [["Location", "/"]], 299],
  ] as const)("%i with the headers %j becomes %i", async (status, headers, expected) => {
    const { status: shown, body } = await answerTo({ status, headers });
    expect([shown, body]).toEqual([expected, expected === 502 ? redirects : ""]);
  });

  test("is an error if there is none", async () => {
    expect(await answerTo(new Error("EOF"))).toEqual({
      status: 503,
      headers: [
        ["Content-Type", "text/plain; charset=utf-8"],
        ["X-Content-Type-Options", "nosniff"],
      ],
      body: "error trying to reach service: EOF\n",
    });
  });
});
