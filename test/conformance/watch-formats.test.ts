import { beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { ConfigMaps } from "./config-maps.ts";
import { as, json, objectNames, protobuf, streamNames, yaml } from "./media-types.ts";
import { blueprintOf, OpenWatch } from "./open-watch.ts";
import { fieldsOf, first, framesOf, openDocument, textOf } from "./protobuf-bytes.ts";
import { QuietServer } from "./quiet-server.ts";

const server = new QuietServer();
const maps = new ConfigMaps(server, "formats");

beforeAll(() => maps.begin("a", "b"));

describe("a watch is written in", () => {
  const watch = `${maps.path}?watch=1`;

  test.each([
    ["", json],
    [`${json};stream=watch`, json],
    [protobuf, `${protobuf};stream=watch`],
    [`${protobuf};stream=watch, ${json};q=0.5`, `${protobuf};stream=watch`],
    [as("PartialObjectMetadata", protobuf), `${protobuf};stream=watch`],
    [as("Table"), json],
  ])("for %j: %s", async (accept, contentType) => {
    const opened = await OpenWatch.open(server, watch, { ...(accept !== "" && { accept }) });
    expect(opened.headers.get("content-type")).toBe(contentType);
    expect((await opened.bytes()).length).toBeGreaterThan(0);
    opened.leave();
  });

  test.each([
    [yaml, "watch=1", 406, `only the following media types are accepted: ${streamNames}`],
    // The format for objects decides, and that is YAML.
    [`${yaml}, ${json}`, "watch=1", 406, `only the following media types are accepted: ${streamNames}`],
    [
      as("Table"),
      "watch=1&allowWatchBookmarks=1",
      406,
      `only the following media types are accepted: ${objectNames}`,
    ],
    [
      as("Table"),
      "watch=1&includeObject=Zed",
      400,
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Zed\": must be 'Metadata', 'Object', 'None', or empty",
    ],
    // In the order of upstream's checks.
    [yaml, "watch=1&fieldSelector=x%3Dy", 400, /is not a known field selector/],
    [as("Table"), "watch=1&includeObject=Zed&resourceVersion=x", 500, /^resourceVersion: Invalid value: "x"/],
    [as("Table", yaml), "watch=1&includeObject=Zed", 400, /^Unable to convert to Table as requested/],
    [yaml, "watch=1&resourceVersion=x", 500, /^resourceVersion: Invalid value: "x"/],
    ["text/html", "watch=1&limit=x", 406, /^406: Not Acceptable/],
  ])("nothing for %j and %s: %d", async (accept, query, status, message) => {
    const target = `${maps.path}?${query}`;
    const answer = await server.ask({ method: "GET", target, headers: { accept } });
    // YAML is parsed like JSON.
    expect([answer.status, parseYaml(answer.text).message]).toEqual([status, expect.stringMatching(message)]);
  });

  test("Tables if no bookmark ends the initial events, and objects otherwise", async () => {
    const accept = `${as("Table")}, ${as("Table", json, "v1beta1")}, ${json}`;
    const kinds = async (query: string) => {
      const opened = await OpenWatch.open(server, `${watch}${query}`, { accept });
      const events = await opened.events();
      opened.leave();
      return events.map(({ type, object }) => `${type} ${object.kind}`);
    };
    expect(await kinds("")).toEqual(["ADDED Table", "ADDED Table"]);
    expect(await kinds("&allowWatchBookmarks=1")).toEqual([
      "ADDED ConfigMap",
      "ADDED ConfigMap",
      "BOOKMARK ConfigMap",
    ]);
    const now = await server.revision();
    expect(await kinds(`&allowWatchBookmarks=1&resourceVersion=${now}`)).toEqual([]);
  });

  test("rows contain the requested part of the object", async () => {
    const shown = async (query: string) => {
      const opened = await OpenWatch.open(server, `${watch}&fieldSelector=metadata.name%3Da${query}`, {
        accept: as("Table"),
      });
      const [event] = await opened.events();
      opened.leave();
      return event?.object.rows?.[0]?.object;
    };
    expect(await shown("")).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
    expect(await shown("&includeObject=Metadata")).toMatchObject({ kind: "PartialObjectMetadata" });
    expect(await shown("&includeObject=Object")).toMatchObject({ kind: "ConfigMap" });
    expect(await shown("&includeObject=None")).toBeNull();
  });

  test("is never indented", async () => {
    const opened = await OpenWatch.open(server, `${watch}&pretty=1`, { "user-agent": "curl/8" });
    expect(Buffer.from(await opened.bytes()).toString()).toMatch(/^\{"type":"ADDED","object":\{"kind":/);
    opened.leave();
  });

  test("partial metadata, including the list blueprint", async () => {
    const opened = await OpenWatch.open(server, `${watch}&allowWatchBookmarks=1`, {
      accept: as("PartialObjectMetadata"),
    });
    const events = await opened.events();
    opened.leave();
    expect(events.map(({ object }) => object.kind)).toEqual(Array(3).fill("PartialObjectMetadata"));
    expect(events[0]?.object.data).toBeUndefined();
    expect(Buffer.from(blueprintOf(events.at(-1)), "base64").toString()).toBe(
      '{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":null}\n',
    );
  });

  test("the list blueprint has the format of the events", async () => {
    const opened = await OpenWatch.open(server, `${watch}&allowWatchBookmarks=1`, { accept: protobuf });
    const frames = framesOf(await opened.bytes());
    opened.leave();
    const bookmark = fieldsOf(frames.at(-1) ?? new Uint8Array());
    expect(textOf(bookmark, 1)).toBe("BOOKMARK");
    const { fields } = openDocument(first(fieldsOf(first(bookmark, 2)), 1));
    const annotations = fieldsOf(first(fields, 1)).get(12)?.map(fieldsOf) ?? [];
    const blueprint = annotations.find((entry) => textOf(entry, 1).endsWith("list-blueprint"));
    const list = openDocument(Buffer.from(textOf(blueprint ?? new Map(), 2), "base64"));
    expect([list.kind, list.apiVersion, list.fields.has(2)]).toEqual(["ConfigMapList", "v1", false]);
  });

  test("ends without events if the client requests a list representation", async () => {
    const opened = await OpenWatch.open(server, watch, { accept: as("PartialObjectMetadataList") });
    expect([Buffer.from(await opened.bytes()).toString(), opened.hasEnded]).toEqual(["", true]);
  });
});
