import { accepted, inText, type YamlDifference } from "./yaml-difference.ts";

/** Texts that `yaml` refuses and that we accept, as Go's yaml.v2 does. */
export const refusedByLibrary: readonly YamlDifference[] = [
  {
    title: "a single quote may be escaped in double quotes",
    reason: "yaml.v2 supports this escape, which is in no version of YAML",
    example: `"\\'"`,
    explains: accepted("BAD_DQ_ESCAPE", /Invalid escape sequence/, /^\\'/),
  },
  {
    title: "the leading blank lines of a block scalar may be longer than its indent",
    reason: "yaml.v2 uses the longest of them as the indent",
    example: "|\n    \n  a",
    explains: accepted("MISSING_CHAR", /more-indented leading empty lines/),
  },
  {
    title: "a flow collection need not be indented",
    reason: "yaml.v2 does not check the indent there",
    example: "a: [\nb\n]",
    explains: accepted(
      "BAD_INDENT",
      /^Flow (?:map|sequence) in block collection must be sufficiently indented/,
    ),
  },
  {
    title: "a dash in a flow collection may be a scalar",
    reason: "yaml.v2 reads it as one unless a blank follows",
    example: "[-]",
    explains: accepted("BLOCK_IN_FLOW", /Block collections are not allowed/, /^-(?:[\]},]|\s)/),
  },
  {
    title: "a number prefix without digits is text or zero",
    reason: "the library fails to convert it to a number",
    example: "0b_",
    explains: accepted(
      "TAG_RESOLVE_FAILED",
      /Cannot convert 0[box]? to a BigInt|Cannot convert 0[box]\S* to a BigInt/,
    ),
  },
  {
    title: "a tag may contain exclamation marks",
    reason: "they are URI characters to yaml.v2, and unknown tags do not change a text",
    example: "!!!str a",
    explains: accepted("TAG_RESOLVE_FAILED", /Could not resolve tag/, /^!\S*!/),
  },
  {
    title: "a colon in a flow collection is text unless a blank follows",
    reason: "yaml.v2 keeps to YAML 1.1 here",
    example: "{a : b:}",
    explains: accepted("BLOCK_IN_FLOW", /Block collections are not allowed/, /^.*:[\]},]/),
  },
  {
    title: "a quoted scalar need not be indented",
    reason: "yaml.v2 does not check the indent of its lines",
    example: "a: 'b\nc'",
    explains: (comparison) => {
      return (
        accepted("MISSING_CHAR", /^Missing closing ['"]quote/)(comparison) ||
        accepted("MULTILINE_IMPLICIT_KEY", /Implicit keys need to be on a single line/)(comparison)
      );
    },
  },
  {
    title: "a comment may follow a comma without a blank",
    reason: "yaml.v2 skips comments before every token",
    example: "[a,#b\n]",
    explains: accepted("MISSING_CHAR", /Comments must be separated/, /^#/),
  },
  {
    title: "a tag may contain commas and brackets",
    reason: "they are URI characters to yaml.v2",
    example: "!a,b c",
    explains: (comparison) => {
      return (
        accepted("MISSING_CHAR", /Tags and anchors must be separated/)(comparison) ||
        (accepted("UNEXPECTED_TOKEN", /flow-seq-end/)(comparison) && inText(/!\S*\]/)(comparison)) ||
        (accepted("BAD_ALIAS", /Anchor cannot be an empty string/)(comparison) && inText(/!\S*&/)(comparison))
      );
    },
  },
  {
    title: "a merge key with another tag is an ordinary key",
    reason: "yaml.v2 checks the tag, too",
    example: "!!str <<: a",
    explains: accepted("NO_VALUE", /Merge sources must be maps/),
  },
];
