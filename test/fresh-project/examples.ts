import { readdirSync, readFileSync } from "node:fs";

/** A fenced code block of a document. */
export interface Example {
  readonly document: string;
  readonly line: number;
  readonly language: string;
  /** The name in the comment on the first line, if it has one: such a block is a complete file. */
  readonly name: string | undefined;
  readonly text: string;
}

/** The documents whose examples are tested. */
export const documents: readonly string[] = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    // The others are generated for the site.
    .filter((path) => path.endsWith(".md") && !/^docs\/(reference|recipes|\.vitepress)\//.test(path))
    .sort(),
];

/** The code blocks of a document. A block that continues a file is part of the block that begins it. */
export function examplesOf(document: string): readonly Example[] {
  const found: Example[] = [];
  for (const example of blocksOf(document)) {
    const at = found.findIndex(({ name }) => name !== undefined && name === example.name);
    const begun = found[at];
    if (begun === undefined) found.push(example);
    else found[at] = { ...begun, text: `${begun.text}\n${example.text}` };
  }
  return found;
}

function blocksOf(document: string): readonly Example[] {
  const markdown = readFileSync(document, "utf8");
  return [...markdown.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = "", text = ""] = match;
    const [, name] = /^(?:\/\/|#) ([\w./-]+\.[a-z]+)(?:, continued)?\n/.exec(text) ?? [];
    return { document, line: markdown.slice(0, match.index).split("\n").length + 1, language, name, text };
  });
}
