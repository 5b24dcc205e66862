import { Foreign } from "./cbor-readers.ts";
import { type CborItem, cborItem } from "./cbor-tree.ts";
import {
  bothAccept,
  type Comparison,
  type KnownDifference,
  onlyOursAccepts,
  onlyTheirsAccepts,
} from "./known-difference.ts";

type Difference = KnownDifference<Uint8Array>;

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

/** A predicate on the item that a comparison is about; false if the bytes are malformed. */
function onItem(
  test: (item: CborItem, comparison: Comparison<Uint8Array>) => boolean,
): Difference["explains"] {
  return (comparison) => {
    const item = cborItem(comparison.input);
    return item !== undefined && test(item, comparison);
  };
}

function refusedByUs(pattern: RegExp): Difference["explains"] {
  return (comparison) =>
    onlyTheirsAccepts(comparison) && "refusal" in comparison.ours && pattern.test(comparison.ours.refusal);
}

function tagged(...tags: readonly bigint[]): (item: CborItem) => boolean {
  return ({ major, argument }) => major === 6 && tags.includes(argument);
}

/** A tag without a meaning to Kubernetes. */
function isOtherTag({ major, argument }: CborItem): boolean {
  return major === 6 && ![0n, 1n, 2n, 3n, 21n, 22n, 23n, 55_799n].includes(argument);
}

const isMap = ({ major }: CborItem): boolean => major === 5;

/** Where `cbor-x` and `modes.Decode` of k8s.io/apimachinery differ. */
export const cborDifferences: readonly Difference[] = [
  {
    title: "an integer beyond int64 is refused",
    reason: "IntDecConvertSignedOrFail: without a schema, upstream decodes integers to int64",
    example: hex("1b8000000000000000"),
    explains: onItem(({ major }, comparison) => major < 2 && refusedByUs(/overflows Go's int64/)(comparison)),
  },
  {
    title: "strings may have an indefinite length",
    reason: "IndefLengthAllowed; cbor-x does not support it for strings",
    example: hex("5f41614162ff"),
    explains: onItem(({ major, info }, comparison) => {
      return (major === 2 || major === 3) && info === 31 && onlyOursAccepts(comparison);
    }),
  },
  {
    title: "text that is not UTF-8 is refused",
    reason: "UTF8RejectInvalid; cbor-x replaces invalid sequences",
    example: hex("61ff"),
    explains: onItem(({ major }, comparison) => major === 3 && refusedByUs(/invalid UTF-8/)(comparison)),
  },
  {
    title: "each byte of a byte string that is not UTF-8 is replaced",
    reason: "Go's JSON encoder does so; TextDecoder replaces a truncated sequence once",
    example: hex("43e282ff"),
    explains: onItem(
      ({ major, bytes }, comparison) => major === 2 && bothAccept(comparison) && !isUtf8(bytes),
    ),
  },
  {
    title: "simple values other than false, true and null are refused",
    reason: "upstream rejects all others, including undefined and two-byte forms of these",
    example: hex("f7"),
    explains: onItem(({ major, info }, comparison) => {
      return major === 7 && info <= 24 && refusedByUs(/simple value/)(comparison);
    }),
  },
  {
    title: "infinity and NaN are refused",
    reason: "NaNDecodeForbidden and InfDecodeForbidden",
    example: hex("f97c00"),
    explains: onItem(({ major }, comparison) => major === 7 && refusedByUs(/NaN|infinity/)(comparison)),
  },
  {
    title: "a duplicate key is refused",
    reason: "DupMapKeyEnforcedAPF; text and bytes make the same key. In cbor-x the last one counts",
    example: hex("a2616101616102"),
    explains: onItem((item, comparison) => isMap(item) && refusedByUs(/found duplicate map key/)(comparison)),
  },
  {
    title: "a key that is not text is refused",
    reason: "upstream decodes maps to map[string]interface{}",
    example: hex("a10102"),
    explains: onItem((item, comparison) => {
      return isMap(item) && refusedByUs(/into Go value of type string/)(comparison);
    }),
  },
  {
    title: "null as the first key of a map is the empty string",
    reason: "upstream decodes null to the zero value of a string; cbor-x keeps null",
    example: hex("a1f601"),
    explains: onItem((item, comparison) => {
      return (
        isMap(item) &&
        bothAccept(comparison) &&
        item.children.some((child, i) => i % 2 === 0 && isNull(child))
      );
    }),
  },
  {
    title: "times are text",
    reason: "TimeTagToRFC3339Nano; cbor-x creates Date objects from any content",
    example: hex("c074323030312d30322d30335430343a30353a30365a"),
    explains: onItem((item) => tagged(0n, 1n)(item)),
  },
  {
    title: "bignums are refused",
    reason: "BignumTagForbidden",
    example: hex("c24101"),
    explains: onItem((item, comparison) => tagged(2n, 3n)(item) && refusedByUs(/bignum/)(comparison)),
  },
  {
    title: "bytes become text as their expected later encoding tag says",
    reason:
      "ByteStringToStringAllowedWithExpectedLaterEncoding: []byte is base64 in JSON; cbor-x returns the bytes",
    example: hex("d643010203"),
    explains: onItem((item, comparison) => tagged(21n, 22n, 23n)(item) && onlyOursIsJson(comparison)),
  },
  {
    title: "other tags are ignored",
    reason: "UnrecognizedTagContentToAny; cbor-x applies those that it knows, such as sets and references",
    example: hex("d90102820101"),
    explains: onItem((item, comparison) => isOtherTag(item) && "value" in comparison.ours),
  },
  {
    title: "more than 64 levels are refused",
    reason: "MaxNestedLevels of upstream",
    example: hex(`${"81".repeat(64)}80`),
    explains: refusedByUs(/exceeded max nested level 64/),
  },
  {
    title: "more than 1,024 elements are refused",
    reason: "MaxArrayElements of upstream",
    example: hex(`990401${"00".repeat(1_025)}`),
    explains: refusedByUs(/exceeded max number of elements 1024/),
  },
  {
    title: "more than 1,024 members are refused",
    reason: "MaxMapPairs of upstream",
    example: hex(`b90401${Array.from({ length: 1_025 }, (_, i) => `19${hexOf(1_000 + i)}f6`).join("")}`),
    explains: refusedByUs(/exceeded max number of key-value pairs 1024/),
  },
];

function isNull({ major, info, children: [content] }: CborItem): boolean {
  return major === 6 && content !== undefined ? isNull(content) : major === 7 && info === 22;
}

function onlyOursIsJson({ ours, theirs }: Comparison<Uint8Array>): boolean {
  return "value" in ours && (!("value" in theirs) || theirs.value instanceof Foreign);
}

function isUtf8(item: Uint8Array): boolean {
  return Buffer.from(new TextDecoder().decode(item)).equals(Buffer.from(item));
}

function hexOf(number: number): string {
  return number.toString(16).padStart(4, "0");
}
