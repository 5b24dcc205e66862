import { readFileSync } from "node:fs";

/** One line of a transcript: a request to a real server and its response. */
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

/** An unrecorded request to the recorded server, whose effect later responses show. */
export interface UnrecordedRequest {
  /** The number of the exchange that follows it. */
  readonly before: number;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The unrecorded requests of a transcript. */
export function preludeOf(area: string): readonly UnrecordedRequest[] {
  const preludes = JSON.parse(readFileSync(new URL("./preludes.json", import.meta.url), "utf8"));
  return preludes[area] ?? [];
}

/** The exchanges of a transcript, in order. */
export function transcript(area: string): readonly Exchange[] {
  const file = new URL(`../golden/${area}.jsonl`, import.meta.url);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
