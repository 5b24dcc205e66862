import { type Long, type Reader, util } from "protobufjs/minimal.js";
import { formatDuration } from "../../apimachinery/duration.ts";
import { integerOf } from "../../apimachinery/go/parsed-json.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { canonicalQuantity } from "../../apimachinery/quantity.ts";
import { formatMicroInstant, formatTime } from "../../apimachinery/time.ts";
import type { ScalarType } from "../../catalog/type-schema.ts";
import { parseJson } from "../json/json.ts";
import type { MessageInput } from "./message-input.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { isDocument, unsetSeconds, type WireType, wireType } from "./wire.ts";

/** Reads a value after its tag; undefined is a structure that is not set, which is null in JSON. */
export type ReadValue = (input: MessageInput) => JsonValue | undefined;

/** How to read a value, its wire type, and the JSON of Go's zero value. */
export interface ValueReader {
  readonly wire: WireType;
  readonly read: ReadValue;
  readonly zero: () => JsonValue;
}

const { varint } = wireType;

/** The first and last second that RFC 3339 can represent. */
const firstSecond = -62_167_219_200;
const lastSecond = 253_402_300_799;

/** The reader of each scalar. The results match Go's JSON encoder. */
export const scalarReaders: { readonly [scalar in ScalarType]: ValueReader } = {
  string: plain(wireType.bytes, (input) => input.text(), ""),
  bool: plain(varint, ({ reader }) => reader.bool(), false),
  int32: plain(varint, ({ reader }) => reader.int32(), 0),
  int64: plain(varint, ({ reader }) => readInt64(reader), 0),
  uint32: plain(varint, ({ reader }) => reader.uint32(), 0),
  uint64: plain(varint, ({ reader }) => readUint64(reader), 0),
  double: plain(wireType.fixed64, ({ reader }) => finite(reader.double()), 0),
  float: plain(wireType.fixed32, ({ reader }) => finite(reader.float()), 0),
  bytes: plain(wireType.bytes, ({ reader }) => base64(reader.bytes()), null),
  time: message(readTime, null),
  microtime: message(readMicroTime, null),
  duration: message(readDuration, "0s"),
  quantity: message(readQuantity, "0"),
  intOrString: message(readIntOrString, 0),
  rawExtension: message(readRawExtension, null),
  json: message(readRawJson, null),
  fieldsV1: message(readRawJson, null),
  unknown: message(readUnknown, null),
};

function plain(wire: WireType, read: ReadValue, zero: JsonValue): ValueReader {
  return { wire, read, zero: () => zero };
}

function message(read: ReadValue, zero: JsonValue): ValueReader {
  const readMessage: ReadValue = (input) => {
    const outer = input.enter();
    const value = read(input);
    input.leave(outer);
    return value;
  };
  return { wire: wireType.bytes, read: readMessage, zero: () => zero };
}

function base64(bytes: Uint8Array): string {
  return util.base64.encode(bytes, 0, bytes.length);
}

/** JSON cannot represent NaN and infinity, and Go's encoder fails on them. */
function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  const shown = Number.isNaN(value) ? "NaN" : `${Math.sign(value) > 0 ? "+" : "-"}Inf`;
  throw new ProtobufError(`json: unsupported value: ${shown}`);
}

function readInt64(reader: Reader): number | bigint {
  return readSmallVarint(reader) ?? integerOf(BigInt.asIntN(64, bitsOf(reader.int64())));
}

function readUint64(reader: Reader): number | bigint {
  return readSmallVarint(reader) ?? integerOf(bitsOf(reader.int64()));
}

/** Reads up to seven bytes without a 64-bit integer. For longer values, reads nothing and returns undefined. */
function readSmallVarint(reader: Reader): number | undefined {
  const { buf, len } = reader;
  let value = 0;
  let scale = 1;
  for (let position = reader.pos; position < len && scale <= 2 ** 42; scale *= 0x80) {
    const byte = buf[position++] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte >= 0x80) continue;
    reader.pos = position;
    return value;
  }
  return undefined;
}

function bitsOf({ low, high }: Long): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

function readTimestamp(input: MessageInput): { seconds: number; nanoseconds: number } | undefined {
  const { reader } = input;
  if (reader.pos === reader.len) return undefined;
  let seconds = 0;
  let nanoseconds = 0;
  while (reader.pos < reader.len) {
    const tag = input.tag("Timestamp");
    if (tag === 0x08) seconds = Number(readInt64(reader));
    else if (tag === 0x10) nanoseconds = reader.int32();
    else input.skipUnknown(tag, ["Seconds", "Nanos"]);
  }
  return { seconds, nanoseconds };
}

/** Upstream drops fractions of a second, so that protobuf has the precision of JSON. */
function readTime(input: MessageInput): JsonValue | undefined {
  const timestamp = readTimestamp(input);
  if (timestamp === undefined || timestamp.seconds === unsetSeconds) return undefined;
  return formatTime(inRange(timestamp.seconds) * 1_000);
}

function readMicroTime(input: MessageInput): JsonValue | undefined {
  const timestamp = readTimestamp(input);
  if (timestamp === undefined) return undefined;
  // As in Go, nanoseconds are truncated to microseconds, and microseconds beyond a second carry over.
  const microseconds = Math.trunc(timestamp.nanoseconds / 1_000);
  const carried = Math.floor(microseconds / 1_000_000);
  const seconds = timestamp.seconds + carried;
  const rest = microseconds - carried * 1_000_000;
  if (seconds === unsetSeconds && rest === 0) return undefined;
  return formatMicroInstant({ seconds: inRange(seconds), nanoseconds: rest * 1_000 });
}

function inRange(seconds: number): number {
  if (seconds >= firstSecond && seconds <= lastSecond) return seconds;
  throw new ProtobufError("year outside of range [0,9999]");
}

function readDuration(input: MessageInput): JsonValue {
  const { reader } = input;
  let nanoseconds: number | bigint = 0;
  while (reader.pos < reader.len) {
    const tag = input.tag("Duration");
    if (tag === 0x08) nanoseconds = readInt64(reader);
    else input.skipUnknown(tag, ["Duration"]);
  }
  return formatDuration(BigInt(nanoseconds));
}

function readQuantity(input: MessageInput): JsonValue {
  const { reader } = input;
  let quantity = "0";
  while (reader.pos < reader.len) {
    const tag = input.tag("Quantity");
    if (tag === 0x0a) quantity = canonicalQuantity(input.text());
    else input.skipUnknown(tag, ["String_"]);
  }
  return quantity;
}

function readIntOrString(input: MessageInput): JsonValue {
  const { reader } = input;
  let type: number | bigint = 0;
  let number = 0;
  let text = "";
  while (reader.pos < reader.len) {
    const tag = input.tag("IntOrString");
    if (tag === 0x08) type = readInt64(reader);
    else if (tag === 0x10) number = reader.int32();
    else if (tag === 0x1a) text = input.text();
    else input.skipUnknown(tag, ["Type", "IntVal", "StrVal"]);
  }
  if (type === 0) return number;
  if (type === 1) return text;
  throw new ProtobufError("impossible IntOrString.Type");
}

/** Reads the only field of a message that contains encoded data. */
function readRaw(input: MessageInput): Uint8Array {
  const { reader } = input;
  let raw: Uint8Array = new Uint8Array(0);
  while (reader.pos < reader.len) {
    const tag = input.tag("RawExtension");
    if (tag === 0x0a) raw = reader.bytes();
    else input.skipUnknown(tag, ["Raw"]);
  }
  return raw;
}

function readRawExtension(input: MessageInput): JsonValue | undefined {
  const raw = readRaw(input);
  return isDocument(raw) ? input.embedded(raw) : jsonOf(raw);
}

function readRawJson(input: MessageInput): JsonValue | undefined {
  return jsonOf(readRaw(input));
}

function readUnknown(input: MessageInput): JsonValue | undefined {
  const { reader } = input;
  let raw: Uint8Array = new Uint8Array(0);
  while (reader.pos < reader.len) {
    const tag = input.tag("Unknown");
    if (tag === 0x12) raw = reader.bytes();
    else input.skip(tag & 7);
  }
  return jsonOf(raw);
}

function jsonOf(raw: Uint8Array): JsonValue | undefined {
  return raw.length === 0 ? undefined : (parseJson(raw) ?? undefined);
}
