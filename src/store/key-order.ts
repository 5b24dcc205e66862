const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;
const lastUnit = 0xffff;
const lastSurrogate = 0xdfff;

/**
 * Whether the key has a UTF-16 unit from U+D800 on. `<` on strings differs from the byte order only if both keys have
 * one.
 */
export function needsByteOrder(key: string): boolean {
  return /[\ud800-\uffff]/.test(key);
}

/** Ranks units in code point order: surrogates, which encode U+10000 and above, are the last. */
function rank(unit: number): number {
  if (unit >= afterSurrogates) return unit - (afterSurrogates - firstSurrogate);
  return unit >= firstSurrogate ? unit + (lastUnit + 1 - afterSurrogates) : unit;
}

/** Whether `a` is before `b` in the order of their UTF-8 bytes, as in etcd. Both strings must be well-formed. */
export function isBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) < rank(right);
  }
  return a.length < b.length;
}

function nextUnit(unit: number): number {
  if (unit === firstSurrogate - 1) return afterSurrogates;
  return unit === lastUnit ? firstSurrogate : unit + 1;
}

/** The first string after all strings with this prefix; undefined if there is none. */
export function keyAfterPrefix(prefix: string): string | undefined {
  for (let end = prefix.length - 1; end >= 0; end--) {
    const unit = prefix.charCodeAt(end);
    if (unit !== lastSurrogate) return prefix.slice(0, end) + String.fromCharCode(nextUnit(unit));
  }
  return undefined;
}
