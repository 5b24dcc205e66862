/**
 * Compares texts by their UTF-8 bytes, as Go does. JavaScript compares UTF-16 units, which gives another order for
 * characters beyond U+FFFF and those from U+E000 on.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    return left < firstSurrogate && right < firstSurrogate ? left - right : rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Whether texts are in this order. */
export function areInTextOrder(texts: readonly string[]): boolean {
  for (let i = 1; i < texts.length; i++) {
    if (compareText(texts[i - 1] ?? "", texts[i] ?? "") > 0) return false;
  }
  return true;
}

/** The keys of a map in the order in which Go writes them. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  return areInTextOrder(keys) ? keys : keys.sort(compareText);
}

const firstSurrogate = 0xd800;

/** Surrogates encode the highest characters, so they rank above all other units. */
function rank(unit: number): number {
  return unit >= firstSurrogate && unit <= 0xdfff ? unit + 0x10000 : unit;
}
