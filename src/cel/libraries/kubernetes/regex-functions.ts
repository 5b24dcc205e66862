import type { RE2JS } from "re2js";
import type { Library, Overload } from "../../environment/declarations.ts";
import { declare, member } from "../../environment/declare.ts";
import { listType, types } from "../../types/cel-type.ts";
import { celError } from "../../values/cel-error.ts";
import { isInt } from "../../values/numbers.ts";
import { matchCost, matchEstimate, resulting, sizeAt } from "../costs.ts";
import { matching } from "../regex.ts";

const { string, int } = types;
const illegal = (error: { readonly message: string }) => celError(`Illegal regex: ${error.message}`);
const one = matching((regex, text) => occurrences(regex, text, 1)[0] ?? "", illegal);
const all = matching(
  (regex, text, [limit]) => occurrences(regex, text, isInt(limit) ? Number(limit) : -1),
  illegal,
);

/** find and findAll. */
export const regexFunctions: Library = {
  functions: [
    declare("find", member("string_find_string", [string, string], string, one.call, extrasOf(one))),
    declare(
      "findAll",
      member("string_find_all_string", [string, string], listType(string), all.call, extrasOf(all)),
      member("string_find_all_string_int", [string, string, int], listType(string), all.call, extrasOf(all)),
    ),
  ],
};

function extrasOf({ prepare }: Pick<Overload, "prepare">) {
  const estimate = resulting(matchEstimate, (operands) => ({ min: 0, max: sizeAt(operands, 0).max }));
  return { prepare, cost: matchCost, estimate };
}

/** The first parts of a text that match; all of them if the limit is negative. */
function occurrences(regex: RE2JS, text: string, limit: number): readonly string[] {
  const found: string[] = [];
  const matcher = regex.matcher(text);
  while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? "");
  return found;
}
