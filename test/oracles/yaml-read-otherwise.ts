import { isScalar } from "yaml";
import {
  inText,
  plain,
  read,
  someKey,
  somePlainInFlow,
  written,
  type YamlDifference,
} from "./yaml-difference.ts";

/** Texts that `yaml` reads as another value than Go's yaml.v2 and we do. */
export const readOtherwise: readonly YamlDifference[] = [
  {
    title: "an integer may have the prefix 0o, and prefixes may be upper case",
    reason: "yaml.v2 calls strconv.ParseInt, which accepts the prefixes of Go",
    example: "0o17",
    explains: plain(/^[-+]?0_*(?:[XBO]|o)/, "number"),
  },
  {
    title: "a binary number may have its sign after the prefix",
    reason: "yaml.v2 passes the rest of the text, with the sign, to strconv.ParseInt",
    example: "0b-11",
    explains: plain(/^0b_*[-+]/, "number"),
  },
  {
    title: "a decimal point without digits is text",
    reason: "yaml.v2 requires a digit; the library reads NaN",
    example: ".",
    explains: plain(/^[-+]?[._]+$/, "text"),
  },
  {
    title: "underscores after a leading decimal point must be between digits",
    reason: "yaml.v2 passes such text to strconv.ParseFloat as it is",
    example: "._1",
    explains: plain(/^\.(?=\S*_)(?!\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$)/, "text"),
  },
  {
    title: "a number may have underscores after its sign and in its exponent",
    reason: "yaml.v2 removes all underscores from a number",
    example: "1e+_3",
    explains: plain(/^[-+]_|[eE][-+]?\d*_/, "number"),
  },
  {
    title: "a number with a leading zero that is not octal is a float",
    reason: "strconv.ParseInt refuses it, and yaml.v2 tries strconv.ParseFloat next",
    example: "09007199254740993",
    explains: plain(/^[-+]?0[\d_]*[89]/, "number"),
  },
  {
    title: "a number that overflows float64 is text",
    reason: "strconv.ParseFloat fails; the library reads infinity",
    example: "1e400",
    explains: read(
      (scalar) =>
        typeof scalar.value === "number" && !Number.isFinite(scalar.value) && /\d/.test(scalar.source ?? ""),
    ),
  },
  {
    title: "a hexadecimal, octal or binary number beyond 64 bits is text",
    reason: "strconv.ParseUint fails, and the text has not the form of a float",
    example: "0x10000000000000000",
    explains: read(({ value }) => typeof value === "bigint" && (value >= 2n ** 63n || value < -(2n ** 63n))),
  },
  {
    title: "a float key is rounded to 32 bits",
    reason: "sigs.k8s.io/yaml formats it as a float32",
    example: "1234567.0: a",
    explains: read(({ value }, { place }) => place?.ours === undefined && typeof value === "number"),
  },
  {
    title: "an integer tagged !!float is a float",
    reason: "yaml.v2 converts it; the library requires a point or an exponent and keeps the text",
    example: "!!float 1",
    explains: read(({ tag }) => tag === "tag:yaml.org,2002:float"),
  },
  {
    title: "a question mark in a flow collection always begins a key",
    reason: "yaml.v2 keeps to YAML 1.1 here",
    example: "[?a]",
    explains: (comparison) => comparison.place !== undefined && somePlainInFlow(/^\?/)(comparison),
  },
  {
    title: "an integer and a float of the same value are two keys",
    reason:
      "they are two keys of a Go map; which value remains is random there, and that of the later key here",
    example: "1: a\n1.0: b\n1: c",
    explains: (comparison) => comparison.place !== undefined && someKey(isWholeFloat)(comparison),
  },
  {
    title: "an anchor name ends before a colon",
    reason: "YAML 1.2 allows colons in it",
    example: "&a:b: c",
    explains: (comparison) => comparison.place !== undefined && inText(/[&*][\w-]*[^\s\w-]/)(comparison),
  },
  {
    title: "!!binary replaces each byte that is not UTF-8",
    reason: "Go's JSON encoder does so; TextDecoder replaces a truncated sequence once",
    example: "!!binary 4oL/",
    explains: read(({ value }) => value instanceof Uint8Array),
  },
  {
    title: "a block scalar at the root must be indented, too",
    reason: "yaml.v2 requires at least one column",
    example: "|\na",
    explains: read((scalar, comparison) => {
      const isUnindented = /^[|>].*\n(?: *\n)*[^ \n]/.test(written(scalar, comparison));
      return isUnindented && scalar === comparison.theirs.document?.contents;
    }),
  },
  {
    title: "a block scalar at the end of a text without a final line break has none either",
    reason: "yaml.v2 adds no line break",
    example: "a: |\n  b",
    explains: read(({ type, value }, { place }) => isBlock(type) && value === `${place?.ours}\n`),
  },
  {
    title: "blanks beyond the indent of a block scalar are text",
    reason: "as YAML requires; the library drops them at the end of the scalar",
    example: "a: |1\n   \nb: 1",
    explains: read(({ type, value }, { place }) => {
      return isBlock(type) && trimmedEnd(value) === trimmedEnd(place?.ours) && / /.test(String(place?.ours));
    }),
  },
  {
    title: "a colon before a bracket or a comma is text",
    reason: "yaml.v2 keeps to YAML 1.1 here",
    example: "[a:]",
    explains: ({ place, theirs }) => place !== undefined && /:[\]},]/.test(theirs.text),
  },
  {
    title: "line and paragraph separators are line breaks that folding keeps",
    reason: "as YAML 1.1 requires; the library reads them as ordinary characters",
    example: "a \u2028b",
    explains: ({ place, text }) => place !== undefined && /[\u2028\u2029]/.test(text),
  },
  {
    title: "empty lines after an escaped line break are line breaks",
    reason: "yaml.v2 drops only the escaped line break; the library folds all of them into a space",
    example: '"a\\\n\n b"',
    explains: read((scalar, comparison) => {
      return scalar.type === "QUOTE_DOUBLE" && /\\\r?\n[ \t]*\r?\n/.test(written(scalar, comparison));
    }),
  },
];

function isWholeFloat(key: unknown): boolean {
  return isScalar(key) && typeof key.value === "number" && Number.isInteger(key.value);
}

function trimmedEnd(text: unknown): string {
  return String(text).replace(/[ \n]+$/, "");
}

function isBlock(type: string | undefined): boolean {
  return type?.startsWith("BLOCK") === true;
}
