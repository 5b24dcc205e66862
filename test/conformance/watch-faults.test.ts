import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decodeCborSequence } from "../../src/codec/cbor/cbor.ts";
import {
  bareStatus,
  bookmarks,
  closeWatch,
  doubledInitialEventsEnd,
  largeEvent,
  noInitialEventsEnd,
  pairEvents,
  type Scenario,
  slice,
  streamError,
  truncate,
  unknownEvent,
  watchGone,
} from "../../src/scenario/presets.ts";
import { ConfigMaps } from "./config-maps.ts";
import { as, json, protobuf } from "./media-types.ts";
import { OpenWatch } from "./open-watch.ts";
import { fieldsOf, first, framesOf, openDocument, textOf } from "./protobuf-bytes.ts";
import { QuietServer } from "./quiet-server.ts";

let server: QuietServer;
let maps: ConfigMaps;

beforeEach(async () => {
  server = new QuietServer({ featureGates: new Map([["CBORServingAndStorage", true]]) });
  maps = new ConfigMaps(server, "formats");
  await maps.begin("a", "b");
});

afterEach(() => server.cluster.close());

/** The events of a stream in short: `ADDED ConfigMap`, or `Status` for a Status without an event. */
type Reader = (bytes: Uint8Array) => readonly string[];

const jsonLines: Reader = (bytes) =>
  Buffer.from(bytes)
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => inShort(JSON.parse(line)));

const cborItems: Reader = (bytes) => [...decodeCborSequence(bytes)].map((item) => inShort(item));

const protobufFrames: Reader = (bytes) => framesOf(bytes).map(protobufInShort);

function inShort(event: unknown): string {
  // The stream contains only events and objects.
  const { type, kind, object } = event as { type?: string; kind?: string; object?: { kind?: string } };
  return type === undefined ? `${kind}` : `${type} ${object?.kind}`;
}

function protobufInShort(frame: Uint8Array): string {
  if (Buffer.from(frame.subarray(0, 3)).toString() === "k8s") return openDocument(frame).kind;
  const event = fieldsOf(frame);
  return `${textOf(event, 1)} ${openDocument(first(fieldsOf(first(event, 2)), 1)).kind}`;
}

const formats: readonly (readonly [title: string, accept: string, kind: string, read: Reader])[] = [
  ["JSON", json, "ConfigMap", jsonLines],
  ["Tables", as("Table"), "Table", jsonLines],
  ["metadata only", as("PartialObjectMetadata"), "PartialObjectMetadata", jsonLines],
  ["protobuf", protobuf, "ConfigMap", protobufFrames],
  ["metadata in protobuf", as("PartialObjectMetadata", protobuf), "PartialObjectMetadata", protobufFrames],
  ["CBOR", "application/cbor", "ConfigMap", cborItems],
];

async function seen(scenario: Scenario, accept: string, query = "resourceVersion=0"): Promise<Uint8Array> {
  server.cluster.inject(scenario);
  const watch = await OpenWatch.open(server, `${maps.path}?watch=1&${query}`, { accept });
  const bytes = await watch.bytes();
  watch.leave();
  server.cluster.faults.check();
  return bytes;
}

describe.each(formats)("a watch in %s has", (_title, accept, kind, read) => {
  const added = `ADDED ${kind}`;

  test.each<[string, () => Scenario, readonly string[]]>([
    ["watchGone", () => watchGone({ afterEvents: 1 }), [added, "ERROR Status"]],
    ["streamError", () => streamError({ close: false }), ["ERROR Status"]],
    ["bareStatus", () => bareStatus({ afterEvents: 1 }), [added, "Status", added]],
    ["unknownEvent", () => unknownEvent(), ["FUTURE Status", added, added]],
    ["closeWatch", () => closeWatch({ afterEvents: 1 }), [added]],
    ["bookmarks", () => bookmarks(), [added, `BOOKMARK ${kind}`, added, `BOOKMARK ${kind}`]],
    ["pairEvents", () => pairEvents(), [added, added]],
    ["largeEvent", () => largeEvent({ bytes: 1_000_000 }), [added, added]],
  ])("%s", async (_title, scenario, expected) => {
    expect(read(await seen(scenario(), accept))).toEqual(expected);
  });

  test("largeEvent with the given size", async () => {
    expect((await seen(largeEvent({ bytes: 1_000_000 }), accept)).length).toBeGreaterThan(1_000_000);
  });

  test("slice and truncate of its own bytes", async () => {
    const bytes = kind === "Table" ? 1000 : 100;
    const whole = await seen(slice({ bytes }), accept);
    expect(read(whole)).toEqual([added, added]);
    const cut = await seen(truncate({ afterEvents: 1 }), accept);
    expect(cut.length).toBeLessThan(whole.length);
    expect(Buffer.from(whole).subarray(0, cut.length).equals(cut)).toBe(true);
    expect(() => read(cut)).toThrow();
  });
});

// Initial events with an end are never Tables.
test.each(formats.filter(([title]) => title !== "Tables"))(
  "a watch in %s reports the end of its initial events never, or twice",
  async (_title, accept, kind, read) => {
    const streaming = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const [added, bookmark] = [`ADDED ${kind}`, `BOOKMARK ${kind}`];
    expect(read(await seen(noInitialEventsEnd(), accept, streaming))).toEqual([added, added]);
    const doubled = await seen(doubledInitialEventsEnd(), accept, streaming);
    expect(read(doubled)).toEqual([added, added, bookmark, bookmark]);
  },
);
