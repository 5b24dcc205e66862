import { expect, test } from "vitest";
import { catalogOf } from "../catalog/catalog.ts";
import { decodeCborSequence, encodeCbor } from "./cbor/cbor.ts";
import { decodeMessage, encodeMessage, encodeProtobuf } from "./protobuf/protobuf.ts";
import { encodeWatchFrame, unframedEvent } from "./protobuf/watch-frame.ts";
import { encodeCborWatchFrame, encodeJsonWatchFrame } from "./watch-frames.ts";

const catalog = catalogOf({ release: "1.32" });

function schemaOf(kind: string) {
  const schema = catalog.kind({ group: "", version: "v1", kind });
  if (schema === undefined) throw new Error(`no ${kind}`);
  return schema;
}

const json = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","creationTimestamp":null}}';

test.each([
  ["", "unchanged"],
  ["\n", "without the suffix"],
])("a JSON frame contains the object with suffix %j %s", (end) => {
  const frame = encodeJsonWatchFrame("ADDED", Buffer.from(json + end));
  expect(Buffer.from(frame).toString()).toBe(`{"type":"ADDED","object":${json}}\n`);
});

test.each([
  ["a small object", 0],
  ["an object with a length of two bytes", 200],
  ["an object with a length of four bytes", 3_000_000],
])(
  "a protobuf frame of %s has a length and an event without envelope with the object's document",
  (_title, size) => {
    const object = { ...JSON.parse(json), data: { a: "x".repeat(size) } };
    const document = encodeProtobuf(schemaOf("ConfigMap"), object);
    const frame = Buffer.from(encodeWatchFrame("MODIFIED", document));
    expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
    const event = decodeMessage(schemaOf("WatchEvent"), unframedEvent(frame), (gvk) => catalog.kind(gvk));
    expect(event).toEqual({ type: "MODIFIED", object });
  },
);

test("a protobuf frame has the same layout as an encoded event", () => {
  const event = encodeMessage(schemaOf("WatchEvent"), { type: "DELETED", object: { a: 1 } });
  const frame = encodeWatchFrame("DELETED", Buffer.from('{"a":1}'));
  expect(Buffer.from(unframedEvent(frame))).toStrictEqual(Buffer.from(event));
});

test("a CBOR frame is an item of a sequence", () => {
  const object = JSON.parse(json);
  const frames = [
    encodeCborWatchFrame("ADDED", encodeCbor(object)),
    encodeCborWatchFrame("BOOKMARK", encodeCbor(object)),
  ];
  expect([...decodeCborSequence(Buffer.concat(frames))]).toEqual([
    { type: "ADDED", object },
    { type: "BOOKMARK", object },
  ]);
  const start = "d9d9f7a244747970654541444445 44466f626a656374d9d9f7".replaceAll(" ", "");
  expect(Buffer.from(frames[0] ?? []).toString("hex")).toMatch(new RegExp(`^${start}`));
});
