import { isCollection, isScalar } from "yaml";
import {
  inText,
  refused,
  someKey,
  somePlainInFlow,
  someScalar,
  written,
  type YamlDifference,
} from "./yaml-difference.ts";
import { scalarsOf } from "./yaml-library.ts";

const maxInt64 = 2n ** 63n - 1n;

/** Texts that `yaml` accepts and that we refuse, as Go's yaml.v2 does. */
export const refusedByUs: readonly YamlDifference[] = [
  {
    title: "a key that is null or beyond int64 is refused",
    reason: "sigs.k8s.io/yaml converts only other scalars to text keys",
    example: "~: 1",
    explains: refused(
      /^unsupported map key of type/,
      someKey(
        (key) =>
          isScalar(key) && (key.value === null || (typeof key.value === "bigint" && key.value > maxInt64)),
      ),
    ),
  },
  {
    title: "a collection as a key is refused",
    reason: "Go maps cannot have maps or slices as keys",
    example: "? [a]\n: b",
    explains: refused(/^yaml: invalid map key/, someKey(isCollection)),
  },
  {
    title: "a block collection after a question mark ends at the first line with less indent",
    reason: "the library continues it",
    example: " ? a:\n  b: 1",
    explains: refused(/did not find expected key/, someKey(isCollection)),
  },
  {
    title: "an empty key needs a question mark",
    reason: "the parser of yaml.v2 does not accept a mapping that begins with a colon",
    example: ": 1",
    explains: refused(
      /did not find expected (?:key|node content)/,
      someKey((key) => key === null || (isScalar(key) && key.source === "")),
    ),
  },
  {
    title: "infinity and NaN are refused",
    reason: "JSON cannot represent them",
    example: "a: .inf",
    explains: refused(
      /^json: unsupported value/,
      someScalar(({ value }) => typeof value === "number" && !Number.isFinite(value)),
    ),
  },
  {
    title: "a scalar must match the type of its tag",
    reason: "the decoder of yaml.v2 fails; the library warns",
    example: "!!int x",
    explains: refused(
      /^yaml: cannot decode !!/,
      someScalar(({ tag }) => tag !== undefined),
    ),
  },
  {
    title: "!!binary must be valid base64",
    reason: "yaml.v2 fails; the library decodes what it can",
    example: "!!binary a",
    explains: refused(
      /invalid base64 data/,
      someScalar(({ tag }) => tag === "tag:yaml.org,2002:binary"),
    ),
  },
  {
    title: "a text must not begin with a document end marker",
    reason: "the parser of yaml.v2 expects a node there",
    example: "...\na: 1",
    explains: refused(
      /did not find expected node content/,
      inText(/^(?:[ \t]*(?:#.*)?\r?\n|%.*\r?\n)*\.\.\.(?:\s|$)/),
    ),
  },
  {
    title: "a block scalar must not be indented with tabs",
    reason: "yaml.v2 checks this while it detects the indent; the library reads the tab as text",
    example: "|\n \ta",
    explains: refused(/found a tab character where an indentation space is expected/, ({ theirs, ...rest }) =>
      scalarsOf(theirs.document).some((scalar) => /\n *\t/.test(written(scalar, { theirs, ...rest }))),
    ),
  },
  {
    title: "a tab is not allowed where a key may begin",
    reason: "yaml.v2 does not skip tabs there; the library does if no block collection follows",
    example: "\t[]",
    explains: refused(
      /found character that cannot start any token|tab character that violates indentation/,
      inText(/^[ ?:-]*\t/m),
    ),
  },
  {
    title: "unknown directives are refused",
    reason: "yaml.v2 fails; the library warns",
    example: "%FOO\n---\n1",
    explains: refused(
      /directive|found unexpected non-alphabetical character|incompatible YAML document/,
      inText(/^%/m),
    ),
  },
  {
    title: "a slash cannot be escaped in double quotes",
    reason: "the escape is new in YAML 1.2",
    example: '"\\/"',
    explains: refused(/found unknown escape character/, inText(/\\\//)),
  },
  {
    title: "a surrogate cannot be escaped",
    reason: "yaml.v2 refuses code points that UTF-8 cannot encode",
    example: '"\\ud83d"',
    explains: refused(/found invalid Unicode character escape code/, inText(/\\u[dD][89a-fA-F]/)),
  },
  {
    title: "a question mark ends a plain scalar in a flow collection",
    reason: "yaml.v2 keeps to YAML 1.1 here",
    example: "[a?b]",
    explains: (comparison) => {
      return (
        refused(/./, somePlainInFlow(/\?/))(comparison) ||
        refused(/./, inText(/[[{,]\s*\?\s*[,\]}]/))(comparison)
      );
    },
  },
  {
    title: "a plain scalar in a flow collection cannot begin with a colon",
    reason: "yaml.v2 reads every colon there as a value indicator",
    example: "[:a]",
    explains: refused(/^yaml: /, somePlainInFlow(/^:/)),
  },
  {
    title: "an anchor name has only letters, digits, dashes and underscores",
    reason: "YAML 1.2 allows nearly all characters",
    example: "&a.b c",
    explains: refused(
      /did not find expected alphabetic or numeric character|cannot start any token|^unsupported map key/,
      inText(/[&*](?:\s|[\w-]*[^\s\w-])/),
    ),
  },
  {
    title: "a tag has only URI characters, and a blank follows",
    reason: "the library ends a tag at a bracket in a flow collection",
    example: "{a: !}",
    explains: refused(
      /did not find (?:expected whitespace or line break|expected tag URI|URI escaped octet|expected ',' or)/,
      inText(/!\S*[^\w\s]/),
    ),
  },
  {
    title: "a key in a flow collection must be on one line",
    reason: "yaml.v2 wants this of all keys without a question mark",
    example: '{"a\nb": c}',
    explains: (comparison) => {
      const isLong = (key: unknown): boolean => isScalar(key) && written(key, comparison).includes("\n");
      const message = /did not find expected ',' or/;
      return (
        refused(message, someKey(isLong))(comparison) ||
        refused(message, inText(/\n\s*:(?:\s|$)/))(comparison)
      );
    },
  },
  {
    title: "a block mapping cannot begin on the line of a key",
    reason: "the library allows it if its first key is a flow collection",
    example: "a: {b}: c",
    explains: refused(/mapping values are not allowed in this context/, inText(/:\s.*[\]}]\s*:\s/)),
  },
  {
    title: "an escaped quote does not end a scalar",
    reason: "at the end of the text the library checks only whether the last character is a quote",
    example: "'a''",
    explains: refused(/found unexpected end of stream/, inText(/(?:\\"|'')\s*$/)),
  },
];
