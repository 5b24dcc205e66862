import type { CelType } from "./cel-type.ts";

/** The name of a type in messages of the checker (cel-go, checker/format.go). */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case "any":
      return "any";
    case "duration":
      return "duration";
    case "timestamp":
      return "timestamp";
    case "null":
      return "null";
    case "error":
      return "!error!";
    case "param":
      return type.name;
    default:
      if (type.nullable) return `wrapper(${type.name})`;
      if (type.parameters.length === 0) return type.name;
      return `${type.name}(${type.parameters.map(formatType).join(", ")})`;
  }
}

/** The arguments of a call in messages of the checker: `(int, string)`, `string.(int)` for a member. */
export function formatSignature(types: readonly CelType[], target: CelType | undefined): string {
  const receiver = target === undefined ? "" : `${formatType(target)}.`;
  return `${receiver}(${types.map(formatType).join(", ")})`;
}
