import type { Range } from "./find-loops.ts";
import type { Mutant } from "./mutant.ts";

/** A mutant and the number of its switch. */
export interface Switch {
  readonly id: number;
  readonly mutant: Mutant;
}

/** The name of the global function that says whether a mutant is on, and records that it was reached. */
export const switchFunction = "__isMutantOn";

/** The name of the global function that every pass of a loop calls: it ends a mutant that goes on for ever. */
export const stepFunction = "__countStep";

/** A change of a range. */
interface Edit extends Range {
  /** The text in place of that of the range, in which the edits within it are done. */
  readonly apply: (text: string) => string;
}

/** The source with every mutant as a switch, `(__isMutantOn(7) ? a <= b : a < b)`, that counts the passes of these loops. */
export function instrument(
  source: string,
  switches: readonly Switch[],
  loops: readonly Range[] = [],
): string {
  const counted = loops.map((body) => ({
    start: body.start,
    end: body.end,
    apply: (text: string) => `{ ${stepFunction}(); ${text} }`,
  }));
  const switched = switches.map((one) => ({
    start: one.mutant.start,
    end: one.mutant.end,
    apply: (text: string) => switchedText(one, text),
  }));
  return editRange(source, 0, source.length, [...counted, ...switched].sort(inOrder));
}

/** `edits` are those within the range, the outer ones first. */
function editRange(source: string, start: number, end: number, edits: readonly Edit[]): string {
  let text = "";
  let position = start;
  for (let index = 0; index < edits.length; ) {
    const outer = edits[index];
    if (outer === undefined) break;
    let after = index + 1;
    while ((edits[after]?.start ?? outer.end) < outer.end) after += 1;
    const inner = editRange(source, outer.start, outer.end, edits.slice(index + 1, after));
    text += source.slice(position, outer.start) + outer.apply(inner);
    position = outer.end;
    index = after;
  }
  return text + source.slice(position, end);
}

function switchedText({ id, mutant: { form, replacement } }: Switch, text: string): string {
  const isOn = `${switchFunction}(${id})`;
  if (form === "expression") return `(${isOn} ? (${replacement}) : (${text}))`;
  if (form === "removal") return `{ if (!${isOn}) ${text} }`;
  return `if (${isOn}) return;`;
}

/** Outer before inner; what only adds text comes before what begins in the same place. */
function inOrder(a: Range, b: Range): number {
  const adds = ({ start, end }: Range) => Number(start === end);
  return a.start - b.start || adds(b) - adds(a) || b.end - a.end;
}
