import { type CelType, typeParameter } from "../types/cel-type.ts";
import type { FunctionDeclaration, Implementation, Overload } from "./declarations.ts";

/** The type parameters of signatures. */
export const A: CelType = typeParameter("A");
export const B: CelType = typeParameter("B");

/** What an overload may have besides its signature. */
export type OverloadExtras = Pick<Overload, "cost" | "estimate" | "prepare" | "isFoldable">;

/** Declares a function. */
export function declare(name: string, ...overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads };
}

/** An overload that is called by the name of the function. */
export function global(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call: Implementation,
  extras: OverloadExtras = {},
): Overload {
  return { id, isMember: false, parameters, result, call, ...extras };
}

/** An overload that is called as a member of its first argument. */
export function member(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call: Implementation,
  extras: OverloadExtras = {},
): Overload {
  return { id, isMember: true, parameters, result, call, ...extras };
}
