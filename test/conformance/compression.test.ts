import { beforeAll, describe, expect, test } from "vitest";
import { ConfigMaps } from "./config-maps.ts";
import { as, json, protobuf, yaml } from "./media-types.ts";
import { OpenWatch } from "./open-watch.ts";
import { QuietServer, type RawAnswer } from "./quiet-server.ts";

const server = new QuietServer();
const maps = new ConfigMaps(server, "compressed");

beforeAll(() => maps.begin("a"));

describe("a large response is compressed", () => {
  /** Creates a config map with JSON of this length. */
  const sized = async (name: string, bytes: number) => {
    const { cluster } = server;
    const length = async () => (await get(`${maps.path}/${name}`)).bytes.length;
    const write = (key: string) => {
      const metadata = { name, namespace: "compressed" };
      return cluster.update({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { key } });
    };
    await maps.create(name);
    // The first update adds managedFields and the digits of the revision.
    await write("x");
    const key = "x".repeat(bytes - (await length()) + 1);
    await write(key);
    expect(await length()).toBe(bytes);
  };

  beforeAll(async () => {
    await sized("threshold", 128 * 1024);
    await sized("beyond", 128 * 1024 + 1);
  });

  test.each([
    ["a", "gzip", undefined],
    ["threshold", "gzip", undefined],
    ["beyond", "gzip", "gzip"],
    ["beyond", "deflate, gzip , br", "gzip"],
    // Upstream compares the exact word and ignores weights.
    ["beyond", "gzip;q=1.0", undefined],
    ["beyond", "br", undefined],
    ["beyond", "", undefined],
  ])("%s for Accept-Encoding %j: %s", async (name, accepted, encoding) => {
    const { headers, text } = await get(`${maps.path}/${name}`, { "accept-encoding": accepted });
    expect(headers.get("content-encoding")).toBe(encoding);
    expect(headers.get("vary")).toBe(encoding === undefined ? undefined : "Accept-Encoding");
    expect(JSON.parse(text).metadata.name).toBe(name);
  });

  test("in every format: lists, YAML, protobuf and Tables", async () => {
    for (const accept of [json, yaml, protobuf, `${as("Table")}`]) {
      const path = accept.includes("Table") ? `${maps.path}?includeObject=Object` : maps.path;
      const { headers } = await get(path, { accept, "accept-encoding": "gzip" });
      expect([accept, headers.get("content-encoding")]).toEqual([accept, "gzip"]);
    }
  });

  test("but not a watch", async () => {
    const opened = await OpenWatch.open(server, `${maps.path}?watch=1`, { "accept-encoding": "gzip" });
    expect(opened.headers.has("content-encoding")).toBe(false);
    opened.leave();
  });
});

test("without the feature gate, no response is compressed", async () => {
  const plain = new QuietServer({ featureGates: new Map([["APIResponseCompression", false]]) });
  const metadata = { name: "big", namespace: "default" };
  const data = { key: "x".repeat(200_000) };
  await plain.cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
  const target = "/api/v1/namespaces/default/configmaps/big";
  const { headers, bytes } = await plain.ask({
    method: "GET",
    target,
    headers: { "accept-encoding": "gzip" },
  });
  expect([headers.has("content-encoding"), bytes.length > 200_000]).toEqual([false, true]);
});

function get(target: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  return server.ask({ method: "GET", target, headers });
}
