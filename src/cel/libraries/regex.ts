import { RE2JS, RE2JSSyntaxException } from "re2js";
import type { Overload } from "../environment/declarations.ts";
import { type CelError, celError, isError, noSuchOverload } from "../values/cel-error.ts";
import type { CelValue } from "../values/value.ts";

/** A regular expression of RE2, or the error of one that is malformed, in the words of Go. */
export function compileRegex(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return celError(error.message);
    throw error;
  }
}

/**
 * The parts of an overload whose first argument is a text and whose second is a pattern, which is compiled once if
 * it is a literal.
 */
export function matching(
  apply: (regex: RE2JS, text: string, rest: readonly CelValue[]) => CelValue,
  malformed: (error: CelError) => CelError = (error) => error,
): Pick<Overload, "call" | "prepare"> {
  return {
    call: (text = null, pattern = null, ...rest) => {
      if (typeof text !== "string" || typeof pattern !== "string") return noSuchOverload;
      const regex = compileRegex(pattern);
      return isError(regex) ? malformed(regex) : apply(regex, text, rest);
    },
    prepare: ([, pattern]) => {
      if (typeof pattern !== "string") return undefined;
      const regex = compileRegex(pattern);
      if (isError(regex)) return regex;
      return (text = null, _pattern = null, ...rest) =>
        typeof text === "string" ? apply(regex, text, rest) : noSuchOverload;
    },
  };
}
