import { sameValue } from "./same-value.ts";

/** The result of a reader: a value, or the message of its refusal. */
export type Outcome = { readonly value: unknown } | { readonly refusal: string };

/** The results of both readers for one input. */
export interface Comparison<Input> {
  readonly input: Input;
  readonly ours: Outcome;
  readonly theirs: Outcome;
}

/** A class of inputs that our reader and the library read differently on purpose. */
export interface KnownDifference<Input, Example = Input> {
  readonly title: string;
  readonly reason: string;
  /** An input that differs for this reason. The test fails if the readers agree on it. */
  readonly example: Example;
  readonly explains: (comparison: Comparison<Input>) => boolean;
}

/** The result or the error of a call. */
export function outcomeOf(read: () => unknown): Outcome {
  try {
    return { value: read() };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
}

export function isAccepted(outcome: Outcome): outcome is { readonly value: unknown } {
  return "value" in outcome;
}

/** Whether both readers refuse, or read the same value. */
export function isSame({ ours, theirs }: Comparison<unknown>): boolean {
  if (isAccepted(ours) && isAccepted(theirs)) return sameValue(ours.value, theirs.value);
  return isAccepted(ours) === isAccepted(theirs);
}

/** A comparison that our reader accepts and the library refuses. */
export function onlyOursAccepts({ ours, theirs }: Comparison<unknown>): boolean {
  return isAccepted(ours) && !isAccepted(theirs);
}

/** A comparison that the library accepts and our reader refuses. */
export function onlyTheirsAccepts({ ours, theirs }: Comparison<unknown>): boolean {
  return !isAccepted(ours) && isAccepted(theirs);
}

export function bothAccept({ ours, theirs }: Comparison<unknown>): boolean {
  return isAccepted(ours) && isAccepted(theirs);
}

/** The title of the first entry that explains a comparison, or a description of the unknown difference. */
export function explanation<Input>(
  differences: readonly Pick<KnownDifference<Input>, "title" | "explains">[],
  comparison: Comparison<Input>,
): string {
  const known = differences.find(({ explains }) => explains(comparison));
  return known?.title ?? `unknown difference: ${JSON.stringify(comparison, shown)}`;
}

function shown(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
