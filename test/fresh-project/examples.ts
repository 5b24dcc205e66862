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
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .sort(),
];

/** The code blocks of a document. */
export function examplesOf(document: string): readonly Example[] {
  const markdown = readFileSync(document, "utf8");
  return [...markdown.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = "", text = ""] = match;
    const [, name] = /^(?:\/\/|#) ([\w./-]+\.[a-z]+)\n/.exec(text) ?? [];
    return { document, line: markdown.slice(0, match.index).split("\n").length + 1, language, name, text };
  });
}
