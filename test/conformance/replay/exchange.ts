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
  /** How the names of Kubernetes are written. Default: as they are. */
  readonly names?: "kubernetes" | "svc";
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

/** The exchanges of a transcript, in order. Throws an Error for a line that holds none. */
export function transcript(area: string): readonly Exchange[] {
  const file = new URL(`../golden/${area}.jsonl`, import.meta.url);
  return parseTranscript(readFileSync(file, "utf8"), area);
}

/** The exchanges of these lines. `name` is for the messages of errors. */
export function parseTranscript(text: string, name: string): readonly Exchange[] {
  const lines = text.replace(/\n$/, "").split("\n");
  let last = 0;
  return lines.map((line, index) => {
    const exchange = parseLine(line);
    if (exchange === undefined || exchange.n <= last) {
      throw new Error(`${name}:${index + 1} is not an exchange that follows: ${line.slice(0, 80)}`);
    }
    last = exchange.n;
    return exchange;
  });
}

function parseLine(line: string): Exchange | undefined {
  try {
    const exchange = JSON.parse(line);
    const { n, req, res } = exchange;
    const isWhole =
      Number.isInteger(n) &&
      [req.method, req.path, req.as].every((part) => typeof part === "string") &&
      Number.isInteger(res.status) &&
      typeof res.headers === "object" &&
      "body" in res;
    return isWhole ? exchange : undefined;
  } catch {
    return undefined;
  }
}
