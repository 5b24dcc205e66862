import { readFileSync } from "node:fs";

/** What one line of a transcript holds: a request to a real server and what it answered. */
export interface Exchange {
  readonly n: number;
  readonly note: string;
  readonly req: {
    readonly method: string;
    readonly path: string;
    readonly as: string;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: unknown;
  };
  readonly res: {
    readonly status: number;
    readonly headers: { readonly [name: string]: string | readonly string[] };
    readonly body: unknown;
  };
}

/** The exchanges of a transcript, in the order in which they ran. */
export function transcript(area: string): readonly Exchange[] {
  const file = new URL(`../golden/${area}.jsonl`, import.meta.url);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
