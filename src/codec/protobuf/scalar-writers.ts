import type { Writer } from "protobufjs/minimal.js";
import { parseDuration } from "../../apimachinery/duration.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { parseTime } from "../../apimachinery/time.ts";
import type { ScalarType } from "../../catalog/type-schema.ts";
import { stringifyJson } from "./json-text.ts";
import { tagOf, unsetSeconds, type WireType, wireType } from "./wire.ts";

/** Writes a value without its tag; undefined and null stand for Go's zero value. */
export type WriteValue = (writer: Writer, value: JsonValue | undefined) => void;

/** How to write a value, and its wire type. */
export interface ValueWriter {
  readonly wire: WireType;
  readonly write: WriteValue;
}

const first = { varint: tagOf(1, wireType.varint), bytes: tagOf(1, wireType.bytes) };
const second = { varint: tagOf(2, wireType.varint), bytes: tagOf(2, wireType.bytes) };
const third = tagOf(3, wireType.bytes);
const fourth = tagOf(4, wireType.bytes);

/** The usual format of a time, which needs no further checks. */
const wholeSeconds = "2006-01-02T15:04:05Z";

/** The writer of each scalar. Values are canonical, as from Go's JSON encoder. */
export const scalarWriters: { readonly [scalar in ScalarType]: ValueWriter } = {
  string: { wire: wireType.bytes, write: (writer, value) => void writer.string(text(value, "")) },
  bool: { wire: wireType.varint, write: (writer, value) => void writer.bool(value === true) },
  int32: { wire: wireType.varint, write: (writer, value) => void writer.int32(Number(value ?? 0)) },
  int64: { wire: wireType.varint, write: writeInt64 },
  uint32: { wire: wireType.varint, write: (writer, value) => void writer.uint32(Number(value ?? 0)) },
  uint64: { wire: wireType.varint, write: writeInt64 },
  double: { wire: wireType.fixed64, write: (writer, value) => void writer.double(Number(value ?? 0)) },
  float: { wire: wireType.fixed32, write: (writer, value) => void writer.float(Number(value ?? 0)) },
  bytes: { wire: wireType.bytes, write: (writer, value) => void writer.bytes(text(value, "")) },
  time: message(writeTime),
  microtime: message(writeMicroTime),
  duration: message(writeDuration),
  quantity: message((writer, value) => void writer.uint32(first.bytes).string(text(value, "0"))),
  intOrString: message(writeIntOrString),
  rawExtension: message(writeRawJson),
  json: message(writeRawJson),
  fieldsV1: message(writeRawJson),
  unknown: message(writeUnknown),
};

/** A length-delimited value: the output of `write` after its length. */
export function message(write: WriteValue): ValueWriter {
  return {
    wire: wireType.bytes,
    write: (writer, value) => {
      writer.fork();
      write(writer, value);
      writer.ldelim();
    },
  };
}

function text(value: JsonValue | undefined, zero: string): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return zero;
  // Quantities may be numbers in JSON.
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  throw new Error(`expected text to encode, got ${typeof value}`);
}

function writeInt64(writer: Writer, value: JsonValue | undefined): void {
  if (typeof value === "bigint") writer.int64(BigInt.asIntN(64, value).toString());
  else writer.int64(Number(value ?? 0));
}

/** Upstream keeps only whole seconds, so that protobuf has the precision of JSON. */
function writeTime(writer: Writer, value: JsonValue | undefined): void {
  const time = text(value, "");
  if (time === "") return;
  const seconds = time.length === wholeSeconds.length ? Date.parse(time) / 1_000 : parseTime(time).seconds;
  writeTimestamp(writer, seconds, 0);
}

function writeMicroTime(writer: Writer, value: JsonValue | undefined): void {
  const time = text(value, "");
  if (time === "") return;
  const { seconds, nanoseconds } = parseTime(time);
  writeTimestamp(writer, seconds, nanoseconds - (nanoseconds % 1_000));
}

/** A time that is not set is an empty message. */
function writeTimestamp(writer: Writer, seconds: number, nanoseconds: number): void {
  if (seconds === unsetSeconds && nanoseconds === 0) return;
  writer.uint32(first.varint).int64(seconds).uint32(second.varint).int32(nanoseconds);
}

function writeDuration(writer: Writer, value: JsonValue | undefined): void {
  writer.uint32(first.varint).int64(parseDuration(text(value, "0")).toString());
}

/** All three fields are always written. */
function writeIntOrString(writer: Writer, value: JsonValue | undefined): void {
  const isText = typeof value === "string";
  writer.uint32(first.varint).uint32(isText ? 1 : 0);
  writer.uint32(second.varint).int32(isText ? 0 : Number(value ?? 0));
  writer.uint32(third).string(isText ? value : "");
}

function writeRawJson(writer: Writer, value: JsonValue | undefined): void {
  if (value === undefined || value === null) return;
  writer.uint32(first.bytes).string(stringifyJson(value));
}

/** A value from JSON has no type, and its content type is JSON. */
function writeUnknown(writer: Writer, value: JsonValue | undefined): void {
  const isSet = value !== undefined && value !== null;
  writer.uint32(first.bytes).fork();
  writer.uint32(first.bytes).string("").uint32(second.bytes).string("").ldelim();
  if (isSet) writer.uint32(second.bytes).string(stringifyJson(value));
  writer.uint32(third).string("");
  writer.uint32(fourth).string(isSet ? "application/json" : "");
}
