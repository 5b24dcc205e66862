import type { Library } from "../../environment/declarations.ts";
import { declare, global } from "../../environment/declare.ts";
import { types } from "../../types/cel-type.ts";
import { unary } from "../arguments.ts";
import { resulting, sizeAt, traversing } from "../costs.ts";
import { isString } from "../guards.ts";

const { string } = types;
const reading = traversing(0);

/** jsonpatch.escapeKey: a key as a part of a JSON pointer. Only mutating admission policies have it. */
export const jsonPatches: Library = {
  functions: [
    declare(
      "jsonpatch.escapeKey",
      global("string_jsonpatch_escapeKey_string", [string], string, unary(isString, escapeKey), {
        cost: reading.cost,
        estimate: resulting(reading.estimate, (operands) => sizeAt(operands, 0)),
      }),
    ),
  ],
};

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
