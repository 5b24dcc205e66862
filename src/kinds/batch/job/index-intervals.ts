import { goQuote } from "../../../apimachinery/go/go-quote.ts";

/** An interval of indexes of an Indexed Job, both ends included: `3` or `5-7`. */
export interface IndexInterval {
  readonly first: number;
  readonly last: number;
}

/** A malformed list of intervals, with upstream's message. */
export class IndexFormatError extends Error {}

/**
 * The number of indexes in a list such as `1,3-5,7`.
 * @throws {IndexFormatError}
 */
export function countIndexes(text: string, completions: number): number {
  if (text === "") return 0;
  let total = 0;
  let previous: number | undefined;
  for (const part of text.split(",")) {
    const { first, last } = parseInterval(part, completions);
    if (previous !== undefined && previous >= first) throw notIncreasing(previous, first);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** The first index that both lists contain. Malformed intervals are skipped: they have their own error. */
export function firstOverlap(a: string, b: string, completions: number): number | undefined {
  const [left, right] = [validIntervals(a, completions), validIntervals(b, completions)];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const [x, y] = [left[i], right[j]];
    if (x === undefined || y === undefined) return undefined;
    if (x.first <= y.last && y.first <= x.last) return Math.max(x.first, y.first);
    if (x.first <= y.first) i++;
    else j++;
  }
  return undefined;
}

function validIntervals(text: string, completions: number): readonly IndexInterval[] {
  return text === "" ? [] : text.split(",").flatMap((part) => validInterval(part, completions));
}

function validInterval(part: string, completions: number): readonly IndexInterval[] {
  try {
    return [parseInterval(part, completions)];
  } catch (error) {
    if (error instanceof IndexFormatError) return [];
    throw error;
  }
}

function parseInterval(text: string, completions: number): IndexInterval {
  const [from = "", to, ...more] = text.split("-");
  if (more.length > 0) {
    const rule =
      "violates the requirement that an index interval can have at most two parts separated by '-'";
    throw new IndexFormatError(`the fragment ${goQuote(text)} ${rule}`);
  }
  const first = parseIndex(from, completions);
  if (to === undefined) return { first, last: first };
  const last = parseIndex(to, completions);
  if (first >= last) throw notIncreasing(first, last);
  return { first, last };
}

function parseIndex(text: string, completions: number): number {
  if (!/^[-+]?\d{1,18}$/.test(text)) {
    throw new IndexFormatError(`cannot convert string to integer for index: ${goQuote(text)}`);
  }
  const index = Number(text);
  if (index >= completions) throw new IndexFormatError(`too large index: ${goQuote(text)}`);
  return index;
}

function notIncreasing(previous: number, current: number): IndexFormatError {
  return new IndexFormatError(`non-increasing order, previous: ${previous}, current: ${current}`);
}
