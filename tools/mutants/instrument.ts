import type { Mutant } from "./mutant.ts";

/** A mutant and the number of its switch. */
export interface Switch {
  readonly id: number;
  readonly mutant: Mutant;
}

/** The name of the global function that says whether a mutant is on, and records that it was reached. */
export const switchFunction = "__isMutantOn";

/** The source with every mutant as a switch: `(__isMutantOn(7) ? a <= b : a < b)`. */
export function instrument(source: string, switches: readonly Switch[]): string {
  const sorted = [...switches].sort((a, b) => inOrder(a.mutant, b.mutant) || a.id - b.id);
  return instrumentRange(source, 0, source.length, sorted);
}

/** `switches` are those within the range, the outer ones first. */
function instrumentRange(source: string, start: number, end: number, switches: readonly Switch[]): string {
  let text = "";
  let position = start;
  for (let index = 0; index < switches.length; ) {
    const outer = switches[index];
    if (outer === undefined) break;
    const { mutant } = outer;
    let after = index + 1;
    while ((switches[after]?.mutant.start ?? mutant.end) < mutant.end) after += 1;
    const inner = instrumentRange(source, mutant.start, mutant.end, switches.slice(index + 1, after));
    text += source.slice(position, mutant.start) + switched(outer, inner);
    position = mutant.end;
    index = after;
  }
  return text + source.slice(position, end);
}

function switched({ id, mutant: { form, replacement } }: Switch, text: string): string {
  const isOn = `${switchFunction}(${id})`;
  if (form === "expression") return `(${isOn} ? (${replacement}) : (${text}))`;
  if (form === "removal") return `{ if (!${isOn}) ${text} }`;
  return `if (${isOn}) return;`;
}

/** Outer before inner; what only adds text comes before what begins in the same place. */
function inOrder(a: Mutant, b: Mutant): number {
  const adds = ({ start, end }: Mutant) => Number(start === end);
  return a.start - b.start || adds(b) - adds(a) || b.end - a.end;
}
