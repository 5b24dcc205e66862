import type { PathElement } from "./path-element.ts";

/** An item of a merged list: an applied item, or an item that is only live, with its position in the live list. */
export interface MergedItem {
  readonly element: PathElement;
  readonly position: number | undefined;
}

/**
 * The order of a merged list. Items in both lists have their applied order. Items that are only live keep their place
 * among them. New items follow the applied item before them.
 *
 * | live | applied | merged |
 * | --- | --- | --- |
 * | a b c | b | a b c |
 * | a b c | c a | b c a |
 * | a c | a b c | a b c |
 * | a | b | a b |
 */
export function mergedOrder(live: readonly PathElement[], applied: readonly PathElement[]): MergedItem[] {
  const isLive = new Set(live);
  const isApplied = new Set(applied);
  const shared = applied.filter((element) => isLive.has(element));
  const taken = new Set<PathElement>();
  const merged: MergedItem[] = [];
  let next = 0;
  let l = 0;
  let a = 0;
  const take = (element: PathElement): void => {
    taken.add(element);
    merged.push({ element, position: undefined });
    a++;
  };
  while (l < live.length || a < applied.length) {
    const ours = live[l];
    const theirs = applied[a];
    if (ours !== undefined) {
      if (ours === theirs) {
        take(ours);
        l++;
        next++;
        continue;
      }
      if (!isApplied.has(ours)) {
        merged.push({ element: ours, position: l });
        l++;
        continue;
      }
      // The item is in both lists, but another item comes first in the applied order.
      if (next < shared.length && shared[next] !== ours) {
        l++;
        continue;
      }
      if (taken.has(ours)) l++;
    }
    if (theirs !== undefined) take(theirs);
  }
  return merged;
}
