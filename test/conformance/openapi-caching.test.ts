import { beforeAll, describe, expect, test } from "vitest";
import { QuietServer } from "./quiet-server.ts";

const server = new QuietServer();
const get = (target: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  server.ask({ method, target, headers });

/** The URLs of the documents, by group and version. */
let urls: ReadonlyMap<string, string>;

beforeAll(async () => {
  const { paths } = JSON.parse((await get("/openapi/v3")).text);
  urls = new Map(Object.entries(paths).map(([path, entry]) => [path, (entry as Entry).serverRelativeURL]));
});

interface Entry {
  readonly serverRelativeURL: string;
}

const apps = "/openapi/v3/apis/apps/v1";
const hashOf = (path: string) => urls.get(path)?.split("hash=")[1] ?? "";

describe("OpenAPI v3", () => {
  test("has a document for each served group and version, under a URL with its hash", async () => {
    expect(urls.get("apis/apps/v1")).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    expect([...urls.keys()]).toEqual(
      expect.arrayContaining(["api", "api/v1", "apis", "apis/apps", "version"]),
    );
    expect(new Set(urls.values()).size).toBe(urls.size);
    for (const path of ["api/v1", "apis/batch/v1"]) {
      const { paths } = JSON.parse((await get(urls.get(path) ?? "")).text);
      const names = Object.keys(paths);
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !name.startsWith(`/${path}/`))).toEqual([]);
    }
  });

  test("can be cached for a year under the URL with the hash", async () => {
    const { status, headers } = await get(urls.get("apis/apps/v1") ?? "");
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "public, immutable",
      etag: `"${hashOf("apis/apps/v1")}"`,
      expires: expect.stringMatching(/^\w{3}, 20 Nov 2027 \d\d:\d\d:\d\d UTC$/),
      vary: "Accept",
    });
  });

  test("must be revalidated without the hash", async () => {
    const { headers } = await get(apps);
    expect([headers.get("cache-control"), headers.get("expires"), headers.get("vary")]).toEqual([
      "no-cache, private",
      undefined,
      "Accept",
    ]);
  });

  test("redirects from an old hash to the current one", async () => {
    const { status, headers, text } = await get(`${apps}?hash=OLD`);
    expect([status, headers.get("location"), text]).toEqual([301, urls.get("apis/apps/v1"), ""]);
    expect(headers.get("cache-control")).toBe("no-cache, private");
  });

  test.each([
    ["apis/apps/v1", apps],
    ["apis/apps/v1, with its hash", "hashed"],
    ["v2", "/openapi/v2"],
  ])("%s is not sent to clients that have it", async (_title, path) => {
    const target = path === "hashed" ? (urls.get("apis/apps/v1") ?? "") : path;
    const { headers } = await get(target);
    const etag = headers.get("etag") ?? "";
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await get(target, { "if-none-match": tags });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      expect(again.headers.get("cache-control")).toBe(headers.get("cache-control"));
      expect(again.headers.has("content-type")).toBe(false);
    }
    const since = headers.get("last-modified") ?? "";
    expect((await get(target, { "if-modified-since": since })).status).toBe(304);
    expect((await get(target, { "if-none-match": '"x"' })).status).toBe(200);
  });

  test("has the same hash in both formats, and no document for disabled APIs", async () => {
    const protobuf = { accept: "application/com.github.proto-openapi.spec.v3.v1.0+protobuf" };
    const [json, binary] = [await get(apps), await get(apps, protobuf)];
    expect(binary.headers.get("etag")).toBe(json.headers.get("etag"));
    expect(binary.headers.get("content-type")).toBe(protobuf.accept);
    const fewer = new QuietServer({ runtimeConfig: new Map([["apps/v1", false]]) });
    const { paths } = JSON.parse((await fewer.ask({ method: "GET", target: "/openapi/v3" })).text);
    expect(paths["apis/apps/v1"]).toBeUndefined();
    expect(paths["apis/batch/v1"]).toBeDefined();
  });

  test.each([
    ["text/html", undefined],
    ["application/yaml", undefined],
    ["application/*", "application/json"],
    ["*/*", "application/json"],
    ["text/html, application/json;q=0.1", "application/json"],
  ])("for %s is %s", async (accept, contentType) => {
    const { status, headers } = await get(`${apps}?hash=${hashOf("apis/apps/v1")}`, { accept });
    expect([status, headers.get("content-type")]).toEqual([
      contentType === undefined ? 406 : 200,
      contentType,
    ]);
    expect(headers.get("cache-control")).toBe(
      contentType === undefined ? "no-cache, private" : "public, immutable",
    );
  });

  test("of an unknown group is not found", async () => {
    const { status, text } = await get("/openapi/v3/apis/nope/v1");
    expect([status, text]).toEqual([404, ""]);
  });
});

test("v2 is compressed for clients that accept it, v3 is not", async () => {
  const gzip = { "accept-encoding": "gzip" };
  const [v2, v3] = [await get("/openapi/v2", gzip), await get(apps, gzip)];
  expect([v2.headers.get("content-encoding"), v3.headers.get("content-encoding")]).toEqual([
    "gzip",
    undefined,
  ]);
  expect(JSON.parse(v2.text).swagger).toBe("2.0");
  expect(v3.bytes.length).toBeGreaterThan(128 * 1024);
});

describe("aggregated discovery", () => {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  test.each(["/api", "/apis"])(
    "at %s is not sent to clients that have it, and does not change",
    async (path) => {
      const first = await get(path, { accept });
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
      expect([first.headers.get("cache-control"), first.headers.get("vary")]).toEqual(["public", "Accept"]);
      const again = await get(path, { accept, "if-none-match": etag });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect((await get(path, { accept, "if-none-match": `W/${etag}` })).status).toBe(200);
      expect((await get(path, { accept })).text).toBe(first.text);
    },
  );

  test.each([
    ["after a plain clause", `application/json, ${accept}`, accept],
    ["after an unsupported type", `text/html, ${accept}`, accept],
    [
      "after a future version",
      `${accept.replace("v=v2", "v=v3")}, ${accept.replace("v2", "v2beta1")}`,
      accept.replace("v2", "v2beta1"),
    ],
    ["in YAML", accept.replace("json", "yaml"), accept.replace("json", "yaml")],
    ["with a wildcard", accept.replace("application/json", "*/*"), accept],
    ["of another group", accept.replace("g=apidiscovery.k8s.io", "g=meta.k8s.io"), "application/json"],
  ])("%s: Accept %s gives %s", async (_title, asked, contentType) => {
    const { status, headers } = await get("/apis", { accept: asked });
    const isRefused = contentType === "application/json";
    expect([status, headers.get("content-type")]).toEqual([isRefused ? 406 : 200, contentType]);
  });

  test("is indented on request", async () => {
    expect((await get("/apis?pretty=1", { accept })).text).toMatch(
      /^\{\n {2}"kind": "APIGroupDiscoveryList"/,
    );
    expect((await get("/apis", { accept, "user-agent": "curl/8" })).text).toMatch(/^\{\n {2}"kind"/);
  });

  test("differs, with another ETag, if fewer APIs are served; every version in it is current", async () => {
    const fewer = new QuietServer({ runtimeConfig: new Map([["batch/v1", false]]) });
    const [all, some] = await Promise.all(
      [server, fewer].map((one) => one.ask({ method: "GET", target: "/apis", headers: { accept } })),
    );
    expect(some?.headers.get("etag")).not.toBe(all?.headers.get("etag"));
    const { items } = JSON.parse(all?.text ?? "");
    const freshness = items.flatMap(({ versions }: { versions: { freshness: string }[] }) =>
      versions.map((version) => version.freshness),
    );
    expect(new Set(freshness)).toEqual(new Set(["Current"]));
  });
});
