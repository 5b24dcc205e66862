import { readFileSync } from "node:fs";

/** One recorded exchange, with the fields that matter here. */
export interface Exchange {
  readonly n: number;
  readonly note: string;
  readonly req: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly res: { readonly status: number; readonly body: unknown };
}

/** The exchanges of a transcript, in order. */
export function exchangesOf(transcript: string): Exchange[] {
  const text = readFileSync(`test/conformance/golden/${transcript}.jsonl`, "utf8");
  return text
    .trim()
    .split("\n")
    .map((line): Exchange => JSON.parse(line));
}

/** One exchange of a transcript, by its number. */
export function exchangeOf(transcript: string, n: number): Exchange {
  const exchange = exchangesOf(transcript).find((one) => one.n === n);
  if (exchange === undefined) throw new Error(`${transcript} has no exchange ${n}`);
  return exchange;
}

/** Every value of a query parameter in the list and watch transcript, and its error message, if it was refused. */
export function queriesOf(parameter: string): [value: string, message: string | undefined][] {
  return exchangesOf("listwatch")
    .filter(({ note }) => note.startsWith(parameter))
    .map(({ req, res }) => {
      const query = new URL(req.path, "https://cluster.test").searchParams;
      const refused = res.status === 400;
      const body = res.body as { message?: string };
      return [query.get(parameter) ?? "", refused ? body.message : undefined];
    });
}
