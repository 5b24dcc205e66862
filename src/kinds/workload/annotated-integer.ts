import { badRequest } from "../../apimachinery/errors/errors.ts";
import { parseIntProblem } from "../../apimachinery/go/parse-int.ts";

/**
 * The integer in an annotation of apps/v1, where older versions have a field. The error starts with `cause`.
 * @throws {StatusError} badRequest for another text: upstream fails to convert the object
 */
export function annotatedInteger(kind: string, text: string, cause = ""): bigint {
  const problem = parseIntProblem(text);
  if (problem === undefined) return BigInt(text.replace("+", ""));
  throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${cause}${problem}`);
}
