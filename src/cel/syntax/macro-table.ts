import type { Macro } from "./expression-builder.ts";

/** The macros of each name. */
export type Macros = ReadonlyMap<string, readonly Macro[]>;

/** The same macros and more. */
export function withMacros(known: Macros, added: readonly Macro[]): Macros {
  const macros = new Map(known);
  for (const macro of added) macros.set(macro.name, [...(macros.get(macro.name) ?? []), macro]);
  return macros;
}

/** The macro that a call stands for; one for this number of arguments goes before one for any number. */
export function macroOf(
  macros: Macros,
  { name, argumentCount, isMember }: Pick<Macro, "name" | "argumentCount" | "isMember">,
): Macro | undefined {
  const named = macros.get(name);
  if (named === undefined) return undefined;
  const ofKind = named.filter((macro) => macro.isMember === isMember);
  return (
    ofKind.find((macro) => macro.argumentCount === argumentCount) ??
    ofKind.find((macro) => macro.argumentCount === "any")
  );
}
