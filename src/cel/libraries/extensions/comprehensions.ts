import type { Library } from "../../environment/declarations.ts";
import { A, B, declare, global } from "../../environment/declare.ts";
import { bindingMacros } from "../../syntax/macros.ts";
import { mapInsert, twoVariableMacros } from "../../syntax/two-variable-macros.ts";
import { mapType } from "../../types/cel-type.ts";
import { noSuchOverload } from "../../values/cel-error.ts";

/** `cel.bind`: a name for the value of an expression. */
export const bindings: Library = { functions: [], macros: bindingMacros };

/** The macros with two variables, and the function that they expand to, which the evaluation implements. */
export const twoVariableComprehensions: Library = {
  functions: [
    declare(
      mapInsert,
      global("@mapInsert_map_key_value", [mapType(A, B), A, B], mapType(A, B), () => noSuchOverload),
      global("@mapInsert_map_map", [mapType(A, B), mapType(A, B)], mapType(A, B), () => noSuchOverload),
    ),
  ],
  macros: twoVariableMacros,
};
