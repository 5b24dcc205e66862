import type { Library } from "./environment/declarations.ts";
import { jsonPatches } from "./libraries/kubernetes/json-patches.ts";
import { type CelType, listType, objectType, types } from "./types/cel-type.ts";

const { string, dyn } = types;

/** An operation of a JSON patch, which an expression constructs. */
const jsonPatchType = objectType("JSONPatch", { op: string, path: string, from: string, value: dyn });

/** `Object`, or the type of a part, such as `Object.spec`. Its fields are not known. */
function partType(name: string): CelType {
  return { kind: "object", name, parameters: [], field: () => dyn };
}

/** The types and functions that only the expressions of mutations have. */
interface MutationDeclarations {
  readonly objectTypes: readonly CelType[];
  readonly extensions: readonly Library[];
}

/**
 * What the expression of a mutation may use: the types of the objects that it constructs are named after their paths. Upstream:
 * apiserver, pkg/cel/mutation/typeresolver.go.
 */
export function mutationDeclarations(expression: string): MutationDeclarations {
  const names = new Set(expression.match(/\bObject(?:\.\w+)*/g));
  return { objectTypes: [jsonPatchType, ...Array.from(names, partType)], extensions: [jsonPatches] };
}

/** How a mutation is written. */
interface PatchForm {
  /** The field of the mutation that has the expression. */
  readonly field: "applyConfiguration" | "jsonPatch";
  /** What the expression returns. */
  readonly returned: CelType;
}

/** The form of a mutation by its `patchType`; undefined for an unknown one. */
export function patchForm(patchType: string): PatchForm | undefined {
  switch (patchType) {
    case "ApplyConfiguration":
      return { field: "applyConfiguration", returned: partType("Object") };
    case "JSONPatch":
      return { field: "jsonPatch", returned: listType(jsonPatchType) };
    default:
      return undefined;
  }
}
