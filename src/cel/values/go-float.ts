import { goFloat } from "../../apimachinery/go/go-value.ts";

/** A double without an exponent, with as many digits as it needs. */
export function formatDecimal(value: number): string {
  if (!Number.isFinite(value)) return goFloat(value);
  return Object.is(value, -0) ? "-0" : plain(value);
}

function plain(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = ""] = match;
  const power = Number(exponent);
  const digits = whole + fraction;
  return power < 0 ? `${sign}0.${"0".repeat(-power - 1)}${digits}` : sign + digits.padEnd(power + 1, "0");
}

/** The double that Go's strconv.ParseFloat reads; undefined if the text is none. */
export function parseDouble(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    if (/nan/i.test(text)) return special[1] === "" ? Number.NaN : undefined;
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
