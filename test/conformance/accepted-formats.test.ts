import { beforeAll, describe, expect, test } from "vitest";
import { ConfigMaps } from "./config-maps.ts";
import { as, json, objectNames, protobuf, yaml } from "./media-types.ts";
import { fieldsOf, first, openDocument, textOf } from "./protobuf-bytes.ts";
import { QuietServer, type RawAnswer } from "./quiet-server.ts";

const server = new QuietServer();
const maps = new ConfigMaps(server, "formats");
const one = `${maps.path}/a`;

beforeAll(() => maps.begin("a", "b"));

describe("an object is written in", () => {
  const isJson = /^\{"kind":"ConfigMap","apiVersion":"v1",/;
  const isYaml = /^apiVersion: v1\nkind: ConfigMap\n/;
  const isProtobuf = /^k8s\0/;
  const isMetadata = /^\{"kind":"PartialObjectMetadata","apiVersion":"meta\.k8s\.io\/v1",/;

  test.each([
    ["", json, isJson],
    ["*/*", json, isJson],
    ["text/html, */*;q=0.1", json, isJson],
    [yaml, yaml, isYaml],
    [protobuf, protobuf, isProtobuf],
    [`${json};q=0.1, ${yaml}`, yaml, isYaml],
    [`${yaml};q=0.2, ${json};q=0.9`, json, isJson],
    // Of two equally preferred types the first wins, and a wildcard never wins against a name.
    [`${yaml}, ${json}`, yaml, isYaml],
    [`*/*, ${yaml}`, yaml, isYaml],
    [`text/html, ${protobuf}, ${json}`, protobuf, isProtobuf],
    [`${json};charset=utf-8`, json, isJson],
    [`${json};stream=watch`, json, isJson],
    [`${json};sv=v1`, json, isJson],
    [`${json};sv=v2, ${yaml}`, yaml, isYaml],
    [`${as("Bogus")}, ${json}`, json, isJson],
    [`${json};g=meta.k8s.io;v=v1, ${yaml}`, yaml, isYaml],
    [`${as("Table", protobuf)}, ${json}`, json, isJson],
    [`${as("Table", json, "v2")}, ${json}`, json, isJson],
    [as("PartialObjectMetadata"), json, isMetadata],
    [as("PartialObjectMetadata", protobuf), protobuf, isProtobuf],
    [
      as("PartialObjectMetadata", json, "v1beta1"),
      json,
      /^\{"kind":"PartialObjectMetadata","apiVersion":"meta\.k8s\.io\/v1beta1",/,
    ],
    [as("Table", yaml), yaml, /^apiVersion: meta\.k8s\.io\/v1\ncolumnDefinitions:\n/],
  ])("for %j: %s", async (accept, contentType, beginning) => {
    const { status, headers, text } = await get(one, { ...(accept !== "" && { accept }) });
    expect([status, headers.get("content-type")]).toEqual([200, contentType]);
    expect(text).toMatch(beginning);
  });

  const router = `406: Not Acceptable\n\nAvailable representations: ${objectNames}`;
  const handler = `only the following media types are accepted: ${objectNames}`;

  test.each([
    ["text/html", router],
    ["application/*", router],
    ["*/json", router],
    ["application/cbor", router],
    [`${json};stream=other`, handler],
    [`${yaml};stream=watch`, handler],
    [`${json};sv=v2`, handler],
    [`${json};g=meta.k8s.io;v=v1`, handler],
    [as("Bogus"), handler],
    [as("Table", json, "v2"), handler],
    [as("Table", protobuf), handler],
    [
      as("PartialObjectMetadataList"),
      "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
    ],
  ])("nothing for %j", async (accept, message) => {
    const { status, headers, text } = await get(one, { accept });
    expect([status, headers.get("content-type"), JSON.parse(text).message]).toEqual([406, json, message]);
  });
});

test.each(["", "?watch=1"])("a list%s has the formats of objects and of watches", async (query) => {
  const { status, text } = await get(`${maps.path}${query}`, { accept: "text/html" });
  const streams = [json, protobuf].map((type) => `${type};stream=watch`).join(", ");
  const message = `406: Not Acceptable\n\nAvailable representations: ${objectNames}, ${streams}`;
  expect([status, JSON.parse(text).message]).toEqual([406, message]);
});

describe("a write for which no response format is acceptable", () => {
  const chunked = { "transfer-encoding": "chunked" };
  const { path } = maps;

  test.each<
    [method: string, target: string, headers: Record<string, string>, code: number, sentence: string]
  >([
    ["POST", path, {}, 406, "Not Acceptable"],
    ["POST", path, chunked, 415, "Unsupported Media Type"],
    ["PUT", one, chunked, 415, "Unsupported Media Type"],
    [
      "PATCH",
      one,
      { ...chunked, "content-type": "application/merge-patch+json" },
      415,
      "Unsupported Media Type",
    ],
    ["DELETE", one, chunked, 406, "Not Acceptable"],
  ])("is refused: %s %s %j", async (method, target, headers, code, sentence) => {
    const answer = await server.ask({
      method,
      target,
      headers: { ...headers, accept: "text/html" },
      body: "{}",
    });
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([
      code,
      `${code}: ${sentence}\n\nAvailable representations: ${objectNames}`,
    ]);
  });
});

describe("partial metadata", () => {
  test("has no data, and every item has its kind", async () => {
    const list = JSON.parse((await get(maps.path, { accept: as("PartialObjectMetadataList") })).text);
    const whole = await maps.list();
    expect(list).toEqual({
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      metadata: whole.metadata,
      items: whole.items.map(({ metadata }) => ({
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata,
      })),
    });
  });

  test("has pages like the objects", async () => {
    const accept = as("PartialObjectMetadataList");
    const { metadata } = JSON.parse((await get(`${maps.path}?limit=1`, { accept })).text);
    expect(metadata).toEqual((await maps.list("limit=1")).metadata);
  });

  test("is protobuf for clients that accept it", async () => {
    const accept = as("PartialObjectMetadataList", protobuf);
    const list = openDocument((await get(maps.path, { accept })).bytes);
    expect([list.apiVersion, list.kind]).toEqual(["meta.k8s.io/v1", "PartialObjectMetadataList"]);
    const names = list.fields.get(2)?.map((item) => textOf(fieldsOf(first(fieldsOf(item), 1)), 1));
    expect(names).toEqual(["a", "b"]);
  });
});

describe("JSON is indented", () => {
  test.each<[query: string, headers: Readonly<Record<string, string>>, isIndented: boolean]>([
    ["", {}, false],
    ["?pretty=1", {}, true],
    ["?pretty=t", {}, true],
    ["?pretty=TRUE", {}, true],
    ["?pretty=yes", {}, false],
    ["?pretty=", {}, false],
    ["?pretty=0", {}, false],
    ["", { "user-agent": "curl/8.5.0" }, true],
    ["", { "user-agent": "Wget/1.21" }, true],
    ["", { "user-agent": "Mozilla/5.0 (X11)" }, true],
    ["", { "user-agent": "Mozilla/4.0" }, false],
    ["", { "user-agent": "kubectl/v1.32 curl" }, false],
    ["?pretty=false", { "user-agent": "curl/8.5.0" }, false],
    ["?pretty=", { "user-agent": "curl/8.5.0" }, true],
    ["", { accept: `${json};pretty=1` }, true],
    ["", { accept: `${json};pretty=true` }, false],
    ["?pretty=false", { accept: `${json};pretty=1` }, true],
  ])("%s %j: %s", async (query, headers, isIndented) => {
    for (const path of [one, maps.path, `${maps.path}/nobody`]) {
      const { text } = await get(`${path}${query}`, headers);
      expect(text).toMatch(isIndented ? /^\{\n {2}"kind": "(.|\n)*\}$/ : /^\{"kind":"[^\n]*\n$/);
    }
  });
});

function get(target: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  return server.ask({ method: "GET", target, headers });
}
