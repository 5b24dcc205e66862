/** The format of a quantity: `12e6`, `12Mi` or `12M`. */
export type QuantityFormat = "DecimalExponent" | "BinarySI" | "DecimalSI";

/** The factor of a suffix: `base` to the power of `exponent`. */
export interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const suffixes: readonly (readonly [text: string, base: 2 | 10, exponent: number])[] = [
  ["n", 10, -9],
  ["u", 10, -6],
  ["m", 10, -3],
  ["", 10, 0],
  ["k", 10, 3],
  ["M", 10, 6],
  ["G", 10, 9],
  ["T", 10, 12],
  ["P", 10, 15],
  ["E", 10, 18],
  ["Ki", 2, 10],
  ["Mi", 2, 20],
  ["Gi", 2, 30],
  ["Ti", 2, 40],
  ["Pi", 2, 50],
  ["Ei", 2, 60],
];

const byText: ReadonlyMap<string, Suffix> = new Map(
  suffixes.map(([text, base, exponent]) => [
    text,
    { base, exponent, format: base === 2 ? "BinarySI" : "DecimalSI" },
  ]),
);

const byPower: ReadonlyMap<string, string> = new Map(
  suffixes.map(([text, base, exponent]) => [`${base} ${exponent}`, text]),
);

/** The meaning of a suffix; undefined if it is unknown. */
export function interpretSuffix(text: string): Suffix | undefined {
  const known = byText.get(text);
  if (known !== undefined) return known;
  if (!/^[eE][-+]?\d+$/.test(text)) return undefined;
  return { base: 10, exponent: Number(text.slice(1)), format: "DecimalExponent" };
}

/**
 * The suffix of a power. Like upstream, it is empty for a power without a letter, such as 10^21, so the power is
 * lost.
 */
export function suffixFor(base: 2 | 10, exponent: number, format: QuantityFormat): string {
  if (format === "DecimalExponent") return exponent === 0 ? "" : `e${exponent}`;
  return byPower.get(`${base} ${exponent}`) ?? "";
}
