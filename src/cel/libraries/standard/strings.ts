import type { CallCost, FunctionDeclaration, Overload } from "../../environment/declarations.ts";
import { declare, global, member } from "../../environment/declare.ts";
import { type CallEstimator, multiply, scale } from "../../environment/estimates.ts";
import { types } from "../../types/cel-type.ts";
import { ofTexts } from "../arguments.ts";
import { matchCost, matchEstimate, sizeAt, traversal, traversing } from "../costs.ts";
import { matching } from "../regex.ts";
import { costSize } from "../sizes.ts";

/** Searching a text for another one: the product of their lengths. */
const searchCost: CallCost = ([text, part]) =>
  Math.ceil(costSize(text) * traversal) * Math.ceil(costSize(part) * traversal);

const searchEstimate: CallEstimator = (operands) => ({
  cost: multiply(scale(sizeAt(operands, 0), traversal), scale(sizeAt(operands, 1), traversal)),
});

const texts = [types.string, types.string];
const regex = matching((pattern, text) => pattern.matcher(text).find());
const match = { prepare: regex.prepare, cost: matchCost, estimate: matchEstimate };

/** The functions of two texts: contains, endsWith, startsWith, matches. */
export const stringTests: readonly FunctionDeclaration[] = [
  declare(
    "contains",
    member(
      "contains_string",
      texts,
      types.bool,
      ofTexts((text, part) => text.includes(part)),
      { cost: searchCost, estimate: searchEstimate },
    ),
  ),
  declare(
    "endsWith",
    affix("ends_with_string", (text, part) => text.endsWith(part)),
  ),
  declare(
    "startsWith",
    affix("starts_with_string", (text, part) => text.startsWith(part)),
  ),
  declare(
    "matches",
    // The cost of the global function is 1 in cel-go, which knows only the member.
    global("matches", texts, types.bool, regex.call, { prepare: regex.prepare }),
    member("matches_string", texts, types.bool, regex.call, match),
  ),
];

/** cel-go charges the receiver at run time and estimates the argument. */
function affix(id: string, holds: (text: string, part: string) => boolean): Overload {
  return member(id, texts, types.bool, ofTexts(holds), {
    cost: traversing(0).cost,
    estimate: traversing(1).estimate,
  });
}
