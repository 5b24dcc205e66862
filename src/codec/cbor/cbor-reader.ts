import { DecodeError } from "../../apimachinery/decode-error.ts";
import { decodeUtf8, isUtf8 } from "../../apimachinery/go/go-utf8.ts";
import { integerOf } from "../../apimachinery/go/parsed-json.ts";
import { type JsonValue, type MutableJsonObject, setKey } from "../../apimachinery/json.ts";
import { additional, breakByte, majorType, majorTypeNames, tags } from "./cbor-head.ts";
import { epochTimeText, laterText, trimmedTimeText } from "./tagged-text.ts";

/** The limits of upstream's decoder in 1.32. */
const maxNestedLevels = 64;
const maxArrayElements = 1_024;
const maxMapPairs = 1_024;

const maxInt64 = 2n ** 63n - 1n;

/** The head of an item: its major type, the last five bits of the first byte, and its argument. */
interface Head {
  readonly major: number;
  readonly info: number;
  /** A bigint if a number would not be exact; NaN for floats, which are read from their bytes. */
  readonly argument: number | bigint;
}

/** Decodes CBOR items to JSON values, with upstream's limits and errors. */
export class CborReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #levels = 0;
  /** The Go type of the destination, for errors. Time tags have no effect on strings. */
  #goType = "int64";
  /** The current tag for the text encoding of byte strings. */
  #laterEncoding: number | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Refuses data after the only item. */
  expectEnd(): void {
    const rest = this.#bytes.length - this.#at;
    if (rest > 0) {
      throw new DecodeError(`cbor: ${rest} bytes of extraneous data starting at index ${this.#at}`);
    }
  }

  item(): JsonValue {
    const head = this.#head();
    const { major, argument } = head;
    switch (major) {
      case majorType.positiveInteger:
        return this.#integer(major, BigInt(argument));
      case majorType.negativeInteger:
        return this.#integer(major, -1n - BigInt(argument));
      case majorType.byteString: {
        const bytes = this.#string(head);
        return this.#laterEncoding === undefined ? decodeUtf8(bytes) : laterText(bytes, this.#laterEncoding);
      }
      case majorType.textString:
        return decodeUtf8(this.#string(head));
      case majorType.array:
        return this.#nested(() => this.#array(head));
      case majorType.map:
        return this.#nested(() => this.#map(head));
      case majorType.tag:
        return this.#tagged(Number(argument));
      default:
        return this.#primitive(head);
    }
  }

  #head(): Head {
    const first = this.#byte();
    const major = first >> 5;
    const info = first & 0x1f;
    if (info < additional.oneByte) return { major, info, argument: info };
    if (info === additional.indefinite) return this.#indefinite(major);
    if (info > additional.float64) throw this.#invalidInformation(major, info);
    const size = 2 ** (info - additional.oneByte);
    const at = this.#at;
    this.#skip(size);
    if (size === 1) return { major, info, argument: this.#view.getUint8(at) };
    if (major === majorType.primitive) return { major, info, argument: Number.NaN };
    if (size === 2) return { major, info, argument: this.#view.getUint16(at) };
    if (size === 4) return { major, info, argument: this.#view.getUint32(at) };
    return { major, info, argument: integerOf(this.#view.getBigUint64(at)) };
  }

  #indefinite(major: number): Head {
    if (major === majorType.primitive) throw new DecodeError('cbor: unexpected "break" code');
    if (major < majorType.byteString || major === majorType.tag) {
      throw this.#invalidInformation(major, additional.indefinite);
    }
    return { major, info: additional.indefinite, argument: 0 };
  }

  #integer(major: number, value: bigint): number | bigint {
    if (value <= maxInt64 && value >= -1n - maxInt64) return integerOf(value);
    throw unsuitable(major, this.#goType, `${value} overflows Go's int64`);
  }

  /** The bytes of a string, in one chunk or several. */
  #string(head: Head): Uint8Array {
    const { major, info, argument } = head;
    if (info !== additional.indefinite) return this.#chunk(major, argument);
    const chunks: Uint8Array[] = [];
    let length = 0;
    while (!this.#atBreak()) {
      const name = majorTypeNames[major];
      const first = this.#bytes[this.#at] ?? 0;
      if (first >> 5 !== major) {
        const other = majorTypeNames[first >> 5];
        throw new DecodeError(`cbor: wrong element type ${other} for indefinite-length ${name}`);
      }
      const next = this.#head();
      if (next.info === additional.indefinite) {
        throw new DecodeError(`cbor: indefinite-length ${name} chunk is not definite-length`);
      }
      const chunk = this.#chunk(major, next.argument);
      chunks.push(chunk);
      length += chunk.length;
    }
    return joined(chunks, length);
  }

  #chunk(major: number, length: number | bigint): Uint8Array {
    if (length > maxInt64) throw tooLong(major, length, "causing integer overflow");
    const start = this.#at;
    this.#skip(Number(length));
    const bytes = this.#bytes.subarray(start, this.#at);
    // Only byte strings may contain arbitrary bytes.
    if (major === majorType.textString && !isUtf8(bytes)) throw new DecodeError("cbor: invalid UTF-8 string");
    return bytes;
  }

  #array({ info, argument }: Head): JsonValue {
    const items: JsonValue[] = [];
    if (argument > maxInt64) throw tooLong(majorType.array, argument, "it would cause integer overflow");
    if (argument > maxArrayElements) throw tooMany("elements", maxArrayElements, "array");
    while (this.#hasMore(info, argument, items.length)) {
      if (items.length === maxArrayElements) throw tooMany("elements", maxArrayElements, "array");
      items.push(this.item());
    }
    return items;
  }

  #map({ info, argument }: Head): JsonValue {
    const map: MutableJsonObject = {};
    let key = "";
    if (argument > maxInt64) throw tooLong(majorType.map, argument, "it would cause integer overflow");
    if (argument > maxMapPairs) throw tooMany("key-value pairs", maxMapPairs, "map");
    for (let index = 0; this.#hasMore(info, argument, index); index++) {
      if (index === maxMapPairs) throw tooMany("key-value pairs", maxMapPairs, "map");
      key = this.#key(key);
      if (Object.hasOwn(map, key)) {
        throw new DecodeError(`cbor: found duplicate map key "${key}" at map element index ${index}`);
      }
      setKey(map, key, this.item());
    }
    return map;
  }

  /** Upstream decodes all keys of a map into the same variable, which null does not change. */
  #key(before: string): string {
    const start = this.#at;
    const key = this.#readAs("string", () => this.item());
    if (key === null) return before;
    if (typeof key === "string") return key;
    throw unsuitable(this.#untaggedMajor(start), "string", "");
  }

  /** The major type of an item without its tags. */
  #untaggedMajor(start: number): number {
    const reader = new CborReader(this.#bytes.subarray(start));
    let head = reader.#head();
    while (head.major === majorType.tag) head = reader.#head();
    return head.major;
  }

  #readAs<T>(goType: string, read: () => T): T {
    const outer = this.#goType;
    this.#goType = goType;
    const value = read();
    this.#goType = outer;
    return value;
  }

  /** Whether another item follows in an array or map after `read` items. */
  #hasMore(info: number, count: number | bigint, read: number): boolean {
    return info === additional.indefinite ? !this.#atBreak() : read < count;
  }

  #tagged(tag: number): JsonValue {
    const content = this.#bytes[this.#at];
    if (content === undefined) throw unexpectedEnd();
    switch (tag) {
      case tags.timeText:
        if (content >> 5 !== majorType.textString) throw wrongContent(tag, "text string", content >> 5);
        return this.#goType === "string" ? this.item() : trimmedTimeText(String(this.item()));
      case tags.epochTime:
        if (!isNumber(content)) throw wrongContent(tag, "integer or floating-point number", content >> 5);
        if (this.#goType === "string") return this.item();
        return epochTimeText(Number(this.#readAs("time.Time", () => this.item())));
      case tags.bignum:
      case tags.negativeBignum:
        throw unacceptable("tag", "bignum");
      case tags.laterBase64Url:
      case tags.laterBase64:
      case tags.laterBase16:
        return this.#later(tag, content);
      default:
        return this.#content(content);
    }
  }

  #later(tag: number, content: number): JsonValue {
    const outer = this.#laterEncoding;
    this.#laterEncoding = tag;
    const value = this.#content(content);
    this.#laterEncoding = outer;
    return value;
  }

  /** The content of a tag. Only a tag directly inside another tag counts as a level. */
  #content(first: number): JsonValue {
    return first >> 5 === majorType.tag ? this.#nested(() => this.item()) : this.item();
  }

  #primitive({ info, argument }: Head): JsonValue {
    switch (info) {
      case additional.false:
        return false;
      case additional.true:
        return true;
      case additional.null:
        return null;
      case additional.float16:
        return finite(float16(this.#view.getUint16(this.#at - 2)));
      case additional.float32:
        return finite(this.#view.getFloat32(this.#at - 4));
      case additional.float64:
        return finite(this.#view.getFloat64(this.#at - 8));
      default:
        if (info === additional.oneByte && argument < 32) {
          throw new DecodeError(`cbor: invalid simple value ${argument} for type primitives`);
        }
        throw unacceptable("primitives", `simple value ${argument} is not recognized`);
    }
  }

  #nested<T>(read: () => T): T {
    if (this.#levels === maxNestedLevels) {
      throw new DecodeError(`cbor: exceeded max nested level ${maxNestedLevels}`);
    }
    this.#levels++;
    const value = read();
    this.#levels--;
    return value;
  }

  #atBreak(): boolean {
    if (this.#at === this.#bytes.length) throw unexpectedEnd();
    if (this.#bytes[this.#at] !== breakByte) return false;
    this.#at++;
    return true;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw unexpectedEnd();
    this.#at++;
    return byte;
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.#at) throw unexpectedEnd();
    this.#at += length;
  }

  #invalidInformation(major: number, info: number): DecodeError {
    const name = majorTypeNames[major];
    return new DecodeError(`cbor: invalid additional information ${info} for type ${name}`);
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Whether an item that starts with this byte is an integer or a float. */
function isNumber(first: number): boolean {
  return first >> 5 <= majorType.negativeInteger || (first >= 0xf9 && first <= 0xfb);
}

function float16(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 0x400) * 2 ** (exponent - 15);
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw unacceptable("primitives", `floating-point ${Number.isNaN(value) ? "NaN" : "infinity"}`);
}

function unexpectedEnd(): DecodeError {
  return new DecodeError("unexpected EOF");
}

function unsuitable(major: number, goType: string, why: string): DecodeError {
  const name = majorTypeNames[major];
  const reason = why === "" ? "" : ` (${why})`;
  return new DecodeError(`cbor: cannot unmarshal ${name} into Go value of type ${goType}${reason}`);
}

function unacceptable(name: string, what: string): DecodeError {
  return new DecodeError(`cbor: data item of cbor type ${name} is not accepted by protocol: ${what}`);
}

function tooMany(what: string, limit: number, where: string): DecodeError {
  return new DecodeError(`cbor: exceeded max number of ${what} ${limit} for CBOR ${where}`);
}

function tooLong(major: number, length: number | bigint, consequence: string): DecodeError {
  return new DecodeError(`cbor: ${majorTypeNames[major]} length ${length} is too large, ${consequence}`);
}

function wrongContent(tag: number, expected: string, major: number): DecodeError {
  const name = majorTypeNames[major];
  return new DecodeError(`cbor: tag number ${tag} must be followed by ${expected}, got ${name}`);
}
