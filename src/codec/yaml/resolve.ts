import { DecodeError } from "../../apimachinery/decode-error.ts";
import { decodeUtf8 } from "../../apimachinery/go/go-utf8.ts";
import { integerOf, NumberLiteral } from "../../apimachinery/go/parsed-json.ts";

const TAG_PREFIX = "tag:yaml.org,2002:";

/** A float64. As a key it differs from the integer of the same value. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** The value of a scalar. Dates are text. An integer beyond int64 is a literal. */
export type Resolved = string | number | bigint | boolean | null | Float | NumberLiteral;

type Type = "str" | "bool" | "int" | "float" | "null" | "timestamp";

const words: ReadonlyMap<string, readonly [type: Type, value: Resolved]> = new Map(
  (
    [
      ["bool", true, "y Y yes Yes YES true True TRUE on On ON"],
      ["bool", false, "n N no No NO false False FALSE off Off OFF"],
      ["null", null, " ~ null Null NULL"],
      ["float", new Float(Number.NaN), ".nan .NaN .NAN"],
      ["float", new Float(Number.POSITIVE_INFINITY), ".inf .Inf .INF +.inf +.Inf +.INF"],
      ["float", new Float(Number.NEGATIVE_INFINITY), "-.inf -.Inf -.INF"],
    ] as const
  ).flatMap(([type, value, texts]) => texts.split(" ").map((text) => [text, [type, value]] as const)),
);

const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9]\d*)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** After a leading decimal point, Go allows underscores only between digits. */
const FRACTION = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;
const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]| +)(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(Z|[-+](\d\d):(\d\d))?)?$/;

/**
 * The value of a scalar without quotes, by the rules of YAML 1.1 as implemented in Go's yaml.v2: `yes` and `on` are
 * true, `010` is 8, `1_000` is 1000.
 */
export function resolvePlain(text: string): Resolved {
  return resolve(text)[1];
}

/** Whether a text without quotes is parsed as the same text. */
export function isPlainText(text: string): boolean {
  return resolve(text)[0] === "str";
}

/**
 * The value of a scalar with a tag.
 * @throws {DecodeError} if the value does not have the tag's type
 */
export function resolveTagged(tag: string, text: string): Resolved {
  const wanted = tag.startsWith(TAG_PREFIX) ? tag.slice(TAG_PREFIX.length) : undefined;
  switch (wanted) {
    case "bool":
    case "int":
    case "float":
    case "null":
    case "timestamp":
      break;
    case "binary":
      return decodeBinary(text);
    default:
      // Other tags do not change the text.
      return text;
  }
  const [resolved, value] = resolve(text);
  if (resolved === wanted) return value;
  // A scalar with a tag is a timestamp only if the tag is !!timestamp.
  const type = resolved === "timestamp" ? "str" : resolved;
  if (wanted === "float" && type === "int" && !(value instanceof NumberLiteral)) {
    return new Float(Number(value));
  }
  throw new DecodeError(`yaml: cannot decode !!${type} \`${text}\` as a !!${wanted}`);
}

/** Base64 with complete padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The base64 may contain line breaks, but no blanks. */
function decodeBinary(text: string): string {
  const base64 = text.replace(/[\r\n]/g, "");
  if (!BASE64.test(base64)) throw new DecodeError("yaml: !!binary value contains invalid base64 data");
  return decodeUtf8(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

function resolve(text: string): readonly [type: Type, value: Resolved] {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text)) return ["str", text];
  if (isTimestamp(text)) return ["timestamp", text];
  if (text.startsWith(".") && !FRACTION.test(text)) return ["str", text];
  // Upstream also accepts a sign after the prefix.
  const digits = text.replaceAll("_", "").replace(/^0b([-+])(?=[01])/, "$10b");
  if (INTEGER.test(digits)) {
    const integer = parseInteger(digits);
    if (integer !== undefined) return ["int", integer];
  }
  const float = FLOAT.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(float) ? ["float", new Float(float)] : ["str", text];
}

/** A date, or a date and a time: with `T` and a zone, or with spaces and without one. */
function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, , hours = 0, minutes = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? 0 : Number(part)));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return false;
  const hasZone = match[7] !== undefined;
  if (match[4] !== undefined && /[Tt]/.test(text) !== hasZone) return false;
  return hour < 24 && minute < 60 && second < 60 && hours <= 24 && minutes <= 60;
}

const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

/** Undefined for integers beyond 64 bits. Numbers above int64 are unsigned. */
function parseInteger(text: string): number | bigint | NumberLiteral | undefined {
  const unsigned = text.replace(/^[-+]/, "");
  // Too long for 64 bits. Parsing it would be slow.
  if (/^[1-9]/.test(unsigned) && unsigned.length > 20) return undefined;
  const magnitude = BigInt(/^0[0-7]/.test(unsigned) ? `0o${unsigned.slice(1)}` : unsigned.toLowerCase());
  if (text.startsWith("-")) return magnitude <= INT64_MAX + 1n ? integerOf(-magnitude) : undefined;
  if (magnitude <= INT64_MAX) return integerOf(magnitude);
  return magnitude <= UINT64_MAX && unsigned === text ? new NumberLiteral(magnitude.toString()) : undefined;
}
