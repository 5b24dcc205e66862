const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;
const lastUnit = 0xffff;
const lastSurrogate = 0xdfff;

/**
 * Whether the key has a UTF-16 unit from U+D800 up. Of two keys in different places in UTF-16 and UTF-8 order both
 * have one, so where no key or only one has, `<` on strings is the byte order.
 */
export function needsByteOrder(key: string): boolean {
  return /[\ud800-\uffff]/.test(key);
}

/** Where a unit stands in code point order: surrogates, which make up U+10000 and above, after everything else. */
function rank(unit: number): number {
  if (unit >= afterSurrogates) return unit - (afterSurrogates - firstSurrogate);
  return unit >= firstSurrogate ? unit + (lastUnit + 1 - afterSurrogates) : unit;
}

/** Whether `a` comes before `b` in the order of their UTF-8 bytes, which is etcd's; for well-formed strings. */
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

/** The first string after all that begin with `prefix`, as a bound; undefined if there is none. */
export function keyAfterPrefix(prefix: string): string | undefined {
  for (let end = prefix.length - 1; end >= 0; end--) {
    const unit = prefix.charCodeAt(end);
    if (unit !== lastSurrogate) return prefix.slice(0, end) + String.fromCharCode(nextUnit(unit));
  }
  return undefined;
}
