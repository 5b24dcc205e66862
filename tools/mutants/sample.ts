/** `count` elements that depend on the seed alone, in their original order. The generator is mulberry32. */
export function sample<T>(list: readonly T[], count: number, seed: number): readonly T[] {
  const next = random(seed);
  const keys = list.map((element, index) => ({ element, index, key: next() }));
  const chosen = keys.sort((a, b) => a.key - b.key || a.index - b.index).slice(0, count);
  return chosen.sort((a, b) => a.index - b.index).map(({ element }) => element);
}

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
