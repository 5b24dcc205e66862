import type { SizeOfPath } from "../cost/sizes.ts";
import type { CelType } from "../types/cel-type.ts";

/** A type that a schema declares, with the bounds on which estimates depend. */
export interface DeclaredType {
  readonly type: CelType;
  /** The most characters, bytes, elements or entries of a value; undefined if all values have one size. */
  readonly maxElements: number | undefined;
  /** The length of the shortest JSON of a value. */
  readonly minSerializedSize: number;
  /** What a list or a map consists of. */
  readonly element?: DeclaredType;
  /** The fields of an object by the names that expressions use. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
}

/** The sizes that the types of variables declare. */
export function declaredSizes(variables: ReadonlyMap<string, DeclaredType>): SizeOfPath {
  return ([variable = "", ...steps]) => {
    let declared = variables.get(variable);
    for (const step of steps) {
      if (step === "@keys" || step === "@indices") return undefined;
      declared = step === "@items" || step === "@values" ? declared?.element : declared?.fields?.get(step);
    }
    return declared?.maxElements === undefined ? undefined : { min: 0, max: declared.maxElements };
  };
}
