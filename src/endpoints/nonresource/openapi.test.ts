import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { serveOpenApi, serveV2, serveV3File, serveV3Index } from "./openapi.ts";
import { OpenApiFile } from "./openapi-files.ts";

const startedAt = Date.UTC(2026, 0, 1);
// The documents depend on nothing else.
const environment = {
  served: { current: viewOf({ release: "1.32" }) },
  openapiDescriptions: undefined,
  gates: { isEnabled: () => true },
  clock: new VirtualClock("2026-01-02T03:04:05Z"),
  startedAt,
} as unknown as EndpointEnvironment;

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function contextOf(target: string, { method = "GET", headers = {} }: Asked = {}): RequestContext {
  const [path = "", query] = target.split("?");
  const request = plainRequest({ method, target, headers: new Map(Object.entries(headers)) });
  // The documents depend on nothing else.
  return { path, request, query: new URLSearchParams(query) } as Partial<RequestContext> as RequestContext;
}

async function shown({ status, headers, body }: EndpointResponse) {
  return { status, headers, text: new TextDecoder().decode(await readResponseBody(body)) };
}

const lastModified = ["Last-Modified", "Fri, 02 Jan 2026 03:04:05 GMT"];

describe("the index of OpenAPI 3", () => {
  const index = async (asked?: Asked, others?: JsonObject) =>
    shown(serveV3Index(contextOf("/openapi/v3", asked), environment, others));

  test("is JSON that says it is text, as Go's file server guesses", async () => {
    const { status, headers, text } = await index();
    expect([status, headers]).toEqual([
      200,
      [["Content-Type", "text/plain; charset=utf-8"], ["Accept-Ranges", "bytes"], lastModified],
    ]);
    const { paths } = JSON.parse(text);
    expect(Object.keys(paths)).toContain("apis/apps/v1");
    const url = /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/;
    expect(paths["apis/apps/v1"]).toEqual({ serverRelativeURL: expect.stringMatching(url) });
  });

  test("has the documents of other servers, in order", async () => {
    const other = { serverRelativeURL: "/x" };
    const { text } = await index({}, { "apis/aaa/v1": other, "apis/zzz/v1": other });
    const { paths } = JSON.parse(text);
    expect(Object.keys(paths)).toEqual(Object.keys(paths).sort());
    expect(paths).toMatchObject({ "apis/aaa/v1": other, "apis/zzz/v1": other });
  });

  test("has no body for HEAD, and none for a client that has it", async () => {
    expect(await index({ method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    const headers = { "if-modified-since": "Fri, 02 Jan 2026 03:04:05 GMT" };
    expect(await index({ headers })).toEqual({ status: 304, headers: [lastModified], text: "" });
    const older = { "if-modified-since": "Fri, 02 Jan 2026 03:04:04 GMT" };
    expect((await index({ headers: older })).status).toBe(200);
  });
});

describe("a document of OpenAPI 3", () => {
  const file = new OpenApiFile(
    "AB",
    () => ({ openapi: "3.0.0" }),
    async () => new TextEncoder().encode("p"),
  );
  const ask = async (query: string, headers: Asked["headers"] = { accept: "application/json" }) =>
    shown(
      await serveV3File(
        "apis/a/v1",
        file,
        contextOf(`/openapi/v3/apis/a/v1${query}`, { headers }),
        environment,
      ),
    );
  const etag = ["Etag", '"AB"'];
  const vary = ["Vary", "Accept"];
  const json = ["Content-Type", "application/json"];
  const ofFile = [
    ["Accept-Ranges", "bytes"],
    ["Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"],
  ];
  const immutable = [
    ["Cache-Control", "public, immutable"],
    ["Expires", "Sat, 02 Jan 2027 03:04:05 UTC"],
  ];

  test.each([
    ["", []],
    ["?hash=", []],
    ["?hash=AB", immutable],
  ])("at %j is kept by: %j", async (query, kept) => {
    expect(await ask(query)).toEqual({
      status: 200,
      headers: [json, etag, ...ofFile, vary, ...kept],
      text: '{"openapi":"3.0.0"}',
    });
  });

  test("that is older has moved", async () => {
    expect(await ask("?hash=CD")).toEqual({
      status: 301,
      headers: [json, etag, ["Location", "/openapi/v3/apis/a/v1?hash=AB"], vary],
      text: "",
    });
  });

  test.each(["", "?hash=AB", "?hash=CD"])("at %j is in none of the other formats", async (query) => {
    for (const accept of ["text/html", "text/json", "text/*"])
      expect(await ask(query, { accept })).toEqual({ status: 406, headers: [vary], text: "" });
  });

  test("has no body for HEAD", async () => {
    const asked = { method: "HEAD", headers: { accept: "application/json" } };
    const answer = await serveV3File("a", file, contextOf("/openapi/v3/a", asked), environment);
    expect(await shown(answer)).toEqual({ status: 200, headers: [json, etag, ...ofFile, vary], text: "" });
  });

  test("is not sent to a client that has it", async () => {
    const headers = { accept: "application/json", "if-none-match": '"AB"' };
    expect(await ask("", headers)).toEqual({ status: 304, headers: [etag, vary], text: "" });
  });

  test.each([
    ["application/com.github.proto-openapi.spec.v3.v1.0+protobuf", "p"],
    ["application/com.github.proto-openapi.spec.v3@v1.0+protobuf", "p"],
    ["application/com.github.proto-openapi.spec.v2.v1.0+protobuf, application/*", '{"openapi":"3.0.0"}'],
    ["text/html, */*", '{"openapi":"3.0.0"}'],
    ["*/json", '{"openapi":"3.0.0"}'],
  ])("for a client that accepts %j is %j", async (accept, text) => {
    expect((await ask("", { accept })).text).toBe(text);
  });
});

test("the document of OpenAPI 2 may have what other servers add", async () => {
  const change = () =>
    new OpenApiFile(
      "AB",
      () => ({ swagger: "2.0" }),
      async () => new Uint8Array(),
    );
  const context = contextOf("/openapi/v2", { headers: { accept: "application/json" } });
  const { compression, ...response } = await serveV2(context, environment, change);
  expect(await shown(response)).toMatchObject({ status: 200, text: '{"swagger":"2.0"}' });
  expect([compression, response.headers.slice(0, 4)]).toEqual([
    "openapi",
    [
      ["Vary", "Accept-Encoding"],
      ["Vary", "Accept"],
      ["Content-Type", "application/json"],
      ["Etag", '"AB"'],
    ],
  ]);
});

test.each([
  ["/openapi/v3", 200],
  ["/openapi/v3/", 200],
  ["/openapi/v3/apis/example.com/v1", 404],
  ["/openapi", undefined],
  ["/openapi/v4", undefined],
])("%s is answered with %s", async (path, status) => {
  expect((await serveOpenApi(contextOf(path), environment))?.status).toBe(status);
});

test("without the feature there is no OpenAPI 3", async () => {
  const gates = { isEnabled: () => false } as unknown as EndpointEnvironment["gates"];
  for (const path of ["/openapi/v3", "/openapi/v3/apis/apps/v1"])
    expect(await serveOpenApi(contextOf(path), { ...environment, gates })).toBeUndefined();
});
