import { goQuote } from "./go-quote.ts";

/** What fails in Go's `strconv.ParseInt` with base 10 and 64 bits; undefined for a text that is such a number. */
export function parseIntProblem(text: string): string | undefined {
  const digits = /^[-+]?0*([0-9]*)$/.exec(text)?.[1];
  const problem = (what: string) => `strconv.ParseInt: parsing ${goQuote(text)}: ${what}`;
  if (digits === undefined || !/[0-9]/.test(text)) return problem("invalid syntax");
  // A longer text is not worth parsing.
  const magnitude = digits.length > 19 ? 2n ** 64n : BigInt(digits);
  const largest = text.startsWith("-") ? 2n ** 63n : 2n ** 63n - 1n;
  return magnitude > largest ? problem("value out of range") : undefined;
}
