/**
 * Orders text by its UTF-8 bytes, as Go does. JavaScript's own order differs from it where characters
 * beyond U+FFFF meet others at or above U+E000.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** The keys of a map in the order in which Go writes them. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  for (let i = 1; i < keys.length; i++) {
    if (compareText(keys[i - 1] ?? "", keys[i] ?? "") > 0) return keys.sort(compareText);
  }
  return keys;
}

/** Surrogates stand for the highest characters, so they rank above every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
