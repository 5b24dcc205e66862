import { describe, expect, test } from "vitest";
import { pemBlocks } from "./pem.ts";

const block = (label: string, body = "AAEC\n") => `-----BEGIN ${label}-----\n${body}-----END ${label}-----\n`;

describe("PEM", () => {
  test.each<[string, string, readonly string[]]>([
    ["of one block", block("A"), ["A: 0,1,2"]],
    [
      "of two blocks, with text around them",
      `x\n${block("A")}y\n${block("B B")}z`,
      ["A: 0,1,2", "B B: 0,1,2"],
    ],
    ["of an empty block", block("A", ""), ["A: "]],
    [
      "with blanks at the ends of lines",
      "-----BEGIN A----- \t\r\nAA EC\r\n-----END A-----\r\n",
      ["A: 0,1,2"],
    ],
    ["of a block with headers", block("A", "K: v\nL: w\n\nAAEC\n"), ["A with headers: 0,1,2"]],
    ["without the last line's end", block("A").trimEnd(), ["A: 0,1,2"]],
    ["that begins within a line", `x${block("A")}`, []],
    ["with text after the first line", "-----BEGIN A-----x\nAAEC\n-----END A-----\n", []],
    ["with text after the last line", "-----BEGIN A-----\nAAEC\n-----END A-----x\n", []],
    ["that does not end", "-----BEGIN A-----\nAAEC\n", []],
    ["that ends otherwise than it began", "-----BEGIN A-----\nAAEC\n-----END B-----\n", []],
    ["that is not base64, before a valid one", `${block("A", "AAE\n")}${block("B")}`, ["B: 0,1,2"]],
    ["that begins again before it ends", `-----BEGIN A-----\n${block("B")}`, ["B: 0,1,2"]],
    ["that begins again before it ends as the first", `-----BEGIN B-----\n${block("B")}`, ["B: 0,1,2"]],
    ["whose headers never end, before a valid one", `-----BEGIN A-----\na: b\n${block("B")}`, ["B: 0,1,2"]],
    ["of two empty blocks", block("A", "").repeat(2), ["A: ", "A: "]],
    ["that ends in a header", "-----BEGIN A-----\na: b", []],
    ["of nothing", "", []],
  ])("%s", (_title, text, expected) => {
    const shown = pemBlocks(text).map(
      ({ label, hasHeaders, bytes }) => `${label}${hasHeaders ? " with headers" : ""}: ${[...bytes].join()}`,
    );
    expect(shown).toEqual(expected);
  });
});
