import { double, intOf, uintOf } from "../values/numbers.ts";
import type { CelValue } from "../values/value.ts";
import { UnescapeError, unescapeBytes, unescapeString } from "./unescape.ts";

/** The value of a literal token, or the error of cel-go for it. `sign` is "-" or "". */
export function literalValue(
  kind: string,
  text: string,
  sign: string,
): { readonly value: CelValue } | { readonly error: string } {
  switch (kind) {
    case "NUM_INT": {
      const value = intOf(sign === "-" ? -BigInt(text) : BigInt(text));
      return value === undefined ? { error: "invalid int literal" } : { value };
    }
    case "NUM_UINT": {
      const value = uintOf(BigInt(text.slice(0, -1)));
      return value === undefined ? { error: "invalid uint literal" } : { value };
    }
    case "NUM_FLOAT": {
      const number = Number(sign + text);
      return Number.isFinite(number) ? { value: double(number) } : { error: "invalid double literal" };
    }
    case "STRING":
      return unescaped(() => unescapeString(text), text);
    case "BYTES":
      return unescaped(() => unescapeBytes(text.slice(1)), text);
    case "'true'":
      return { value: true };
    case "'false'":
      return { value: false };
    default:
      return { value: null };
  }
}

function unescaped(
  read: () => CelValue,
  text: string,
): { readonly value: CelValue } | { readonly error: string } {
  // A literal of digits alone cannot be malformed; an escape sequence can name a surrogate.
  if (!text.includes("\\")) return { value: read() };
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof UnescapeError) return { error: error.message };
    throw error;
  }
}
