import { describe, expect, test } from "vitest";
import { get, quietServer } from "./refusals.ts";

const server = quietServer();

const page = "404 page not found\n";
const resource = "the server could not find the requested resource";

/** The router serves /version and what is below (apiserver, pkg/server/routes/version.go). */
describe("/version", () => {
  test.each([
    ["/version", 200, undefined],
    ["/version/", 200, undefined],
    ["/version//", 200, undefined],
    ["/version/x", 404, resource],
    ["/version/x/y", 404, resource],
    ["/versions", 404, page],
  ])("%s is answered with %i", async (target, code, message) => {
    const { status, text } = await server.ask(get(target));
    expect(status).toBe(code);
    expect(text.startsWith("{") ? JSON.parse(text).message : text).toBe(message);
  });

  test.each([
    ["application/json", 200],
    ["*/*", 200],
    ["application/yaml, application/json;q=0.1", 200],
    ["application/json;as=Table;g=meta.k8s.io;v=v1", 200],
    ["application/yaml", 406],
    ["application/vnd.kubernetes.protobuf", 406],
    ["application/*", 406],
  ])("accepted as %s is answered with %i", async (accept, code) => {
    const { status } = await server.ask({ ...get("/version"), headers: { accept } });
    expect(status).toBe(code);
  });

  test("lists the only representation, in a Status of the accepted type", async () => {
    const { text, headers } = await server.ask({
      ...get("/version"),
      headers: { accept: "application/yaml" },
    });
    expect(headers.get("content-type")).toBe("application/yaml");
    expect(text).toContain("Available representations: application/json");
  });
});

test.each(["GET", "POST", "HEAD"])("%s /index.html answers like the root", async (method) => {
  const [index, root] = [
    await server.ask({ method, target: "/index.html" }),
    await server.ask({ method, target: "/" }),
  ];
  expect([index.status, index.text]).toEqual([200, root.text]);
  expect(index.headers.get("content-type")).toBe("application/json");
});

/** Upstream: apiserver, pkg/server/routes/profiling.go. */
test.each([
  ["GET", '<a href="/debug/pprof/">Found</a>.\n\n', "text/html; charset=utf-8"],
  ["HEAD", "", "text/html; charset=utf-8"],
  ["POST", "", undefined],
])("%s /debug/pprof redirects", async (method, body, type) => {
  const { status, headers, text } = await server.ask({ method, target: "/debug/pprof" });
  expect([status, headers.get("location"), headers.get("content-type"), text]).toEqual([
    302,
    "/debug/pprof/",
    type,
    body,
  ]);
});

/** Upstream: Go, net/http/pprof. */
test.each([
  [
    "/debug/pprof/",
    200,
    "text/html; charset=utf-8",
    /^<html>\n<head>\n<title>\/debug\/pprof\/<\/title>[\s\S]*\nTypes of profiles available:\n[\s\S]*<\/html>$/,
  ],
  ["/debug/pprof/symbol", 200, "text/plain; charset=utf-8", /^num_symbols: 1\n$/],
  ["/debug/pprof/cmdline", 404, "text/plain; charset=utf-8", /^Unknown profile\n$/],
  ["/debug/pprof/heap/x", 404, "text/plain; charset=utf-8", /^Unknown profile\n$/],
  ["/debug/pprof/heap?debug=1", 200, "text/plain; charset=utf-8", /^heap profile: 0: 0 \[0: 0\] @ heap/],
  ["/debug/pprof/goroutine?debug=2", 200, "text/plain; charset=utf-8", /^goroutine profile: total 0\n$/],
  ["/debug/pprof/trace?seconds=5", 200, "application/octet-stream", /^go 1\.22 trace\0\0\0$/],
])("%s answers a profiler", async (target, status, type, body) => {
  const answer = await server.ask(get(target));
  expect(answer.text).toMatch(body);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, type]);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.has("x-go-pprof")).toBe(status !== 200);
});

/** Upstream: apiserver, pkg/endpoints/filters/requestinfo.go, which runs before the filter for Cache-Control. */
describe("a path without the segments that its prefix requires", () => {
  test.each([
    ["/api/v1/watch", "/api/v1/watch"],
    ["/api/v1/proxy/", "/api/v1/proxy/"],
    ["/apis/apps/v1/watch", "/apis/apps/v1/watch"],
    ["/api/v1/watch?a=1&b=<>", "/api/v1/watch?a=1&amp;b=&lt;&gt;"],
  ])("%s is an internal error", async (target, shown) => {
    const { status, text, headers } = await server.ask(get(target));
    expect(status).toBe(500);
    expect(text).toBe(
      `Internal Server Error: "${shown}": failed to create RequestInfo: unable to determine kind and namespace from url, ${shown}\n`,
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.has("cache-control")).toBe(false);
    expect(headers.has("audit-id")).toBe(true);
  });
});

describe("a name that is not UTF-8", () => {
  const pods = "/api/v1/namespaces/default/pods";
  test.each([
    [`${pods}/%ff`, 'pods "\\xff" not found', "\ufffd"],
    [`${pods}/a%c3%28`, 'pods "a\\xc3(" not found', "a\ufffd("],
    [`${pods}/%e4%bd%a0%e4`, 'pods "你\\xe4" not found', "你\ufffd"],
    [`${pods}/%ef%bf%bd`, 'pods "\ufffd" not found', "\ufffd"],
  ])("of %s is printed with its bytes", async (target, message, name) => {
    const { status, text } = await server.ask(get(target));
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ message, details: { name } });
  });
});

/** A review has no table (apiserver, pkg/endpoints/handlers/rest.go: AllowsMediaTypeTransform). */
describe("a review asked for as a Table", () => {
  const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const reviews: readonly (readonly [path: string, spec: object])[] = [
    [
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      { user: "u", resourceAttributes: { verb: "get", resource: "pods" } },
    ],
    ["/apis/authentication.k8s.io/v1/selfsubjectreviews", {}],
    [
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      { resourceAttributes: { verb: "get", resource: "pods" } },
    ],
    ["/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", { namespace: "default" }],
  ];
  const ask = (target: string, spec: object, accept: string) =>
    server.ask({
      method: "POST",
      target,
      headers: { accept, "content-type": "application/json" },
      body: JSON.stringify({ spec }),
    });

  test.each(reviews)("%s is answered as an object if the client accepts that", async (path, spec) => {
    const { status, text } = await ask(path, spec, `${table},application/json`);
    expect(status).toBe(201);
    expect(JSON.parse(text).kind).toMatch(/Review$/);
  });

  test.each(reviews)("%s is not acceptable otherwise", async (path, spec) => {
    expect((await ask(path, spec, table)).status).toBe(406);
  });

  test.each(reviews)("%s may be asked for as metadata", async (path, spec) => {
    const { text } = await ask(path, spec, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
    expect(JSON.parse(text).kind).toBe("PartialObjectMetadata");
  });
});

test("every response of /openapi/v2 varies with both headers", async () => {
  for (const headers of [{}, { "accept-encoding": "gzip" }, { accept: "text/html" }]) {
    const answer = await server.ask({ ...get("/openapi/v2"), headers });
    expect(answer.headers.get("vary")).toBe("Accept-Encoding, Accept");
  }
});
