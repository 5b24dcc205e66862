import type { CelType } from "./cel-type.ts";

/** Whether two types are the same, parameters included. */
export function isExactly(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.nullable !== b.nullable) return false;
  if (a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, i) => isExactly(parameter, b.parameters[i] ?? parameter));
}

export function isDynamic(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "any";
}

export function isDynamicOrError(type: CelType): boolean {
  return isDynamic(type) || type.kind === "error";
}

export function isOptional(type: CelType): boolean {
  return type.kind === "opaque" && type.name === "optional_type";
}

/** The type of the value of an optional; the type itself otherwise. */
export function unwrapOptional(type: CelType): CelType {
  return isOptional(type) ? (type.parameters[0] ?? type) : type;
}
