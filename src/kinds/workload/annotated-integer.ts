import { badRequest } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";

const int64Max = 2n ** 63n - 1n;

/**
 * The integer in an annotation of apps/v1, where older versions have a field. The error starts with `cause`.
 * @throws {StatusError} badRequest for another text: upstream fails to convert the object
 */
export function annotatedInteger(kind: string, text: string, cause = ""): bigint {
  if (!/^[-+]?\d+$/.test(text)) throw conversionError(kind, text, cause, "invalid syntax");
  const number = BigInt(text.replace("+", ""));
  if (number <= int64Max && number >= -int64Max - 1n) return number;
  throw conversionError(kind, text, cause, "value out of range");
}

function conversionError(kind: string, text: string, cause: string, problem: string): Error {
  const parsing = `${cause}strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`;
  return badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${parsing}`);
}
