/** What is known of selections of values that are neighbors in the store. */
export interface WithMisses {
  /** The last selections that found none of the values, since the last change. */
  misses: readonly string[];
}

/** How many selections are kept. */
const missesKept = 4;

export const noMisses: readonly string[] = [];

/** Notes that a selection finds none of the values. */
export function noteMiss(node: WithMisses, selection: string): void {
  node.misses = [selection, ...node.misses.slice(0, missesKept - 1)];
}

/** Forgets them, because a value changes. */
export function forgetMisses(node: WithMisses): void {
  node.misses = noMisses;
}
