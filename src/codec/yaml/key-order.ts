const LETTER = /^\p{L}$/u;
const LETTERS = /^[A-Za-z]*$/;
const DIGIT = /^\p{Nd}$/u;

/** Orders keys as yaml.v2 does: letters by code point and after everything else, digits by the number they form. */
export function compareKeys(a: string, b: string): number {
  if (LETTERS.test(a) && LETTERS.test(b)) return a < b ? -1 : Number(a > b);
  const [left, right] = [[...a], [...b]];
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const [l = "", r = ""] = [left[i], right[i]];
    if (l === r) continue;
    const [isLeftLetter, isRightLetter] = [LETTER.test(l), LETTER.test(r)];
    if (isLeftLetter !== isRightLetter) return isRightLetter ? -1 : 1;
    if (isLeftLetter) return code(l) - code(r);
    return compareNumbers(left, right, i) || code(l) - code(r);
  }
  return left.length - right.length;
}

/** Compares the numbers at `i`, the first difference. The numbers may start before `i`. */
function compareNumbers(left: readonly string[], right: readonly string[], i: number): number {
  const start = (left[i] === "0" || right[i] === "0") && followsNonzeroDigit(left, i) ? 1n : 0n;
  const [l, r] = [readNumber(left, i, start), readNumber(right, i, start)];
  if (l.value !== r.value) return l.value < r.value ? -1 : 1;
  return l.end - r.end;
}

/** Whether a nonzero digit of the same number precedes `i`, so that a zero at `i` is not a leading zero. */
function followsNonzeroDigit(characters: readonly string[], i: number): boolean {
  for (let j = i - 1; j >= 0 && DIGIT.test(characters[j] ?? ""); j--) {
    if (characters[j] !== "0") return true;
  }
  return false;
}

function readNumber(
  characters: readonly string[],
  from: number,
  start: bigint,
): { value: bigint; end: number } {
  let value = start;
  let end = from;
  for (; DIGIT.test(characters[end] ?? ""); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(code(characters[end] ?? "") - 0x30));
  }
  return { value, end };
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0;
}
