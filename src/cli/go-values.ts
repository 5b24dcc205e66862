import { FlagError } from "./flag-error.ts";

const INTEGER = /^[+-]?(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO]?(?:_?[0-7])+|0|[1-9](?:_?[0-9])*)$/;
const UNSIGNED = /^[0-9]+$/;
const FLOAT = /^[+-]?(?:inf|infinity|nan|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)$/i;
const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["0", "f", "F", "false", "FALSE", "False"]);

/** `strconv.ParseInt` with base 0 and 64 bits: decimal, or with the prefix of another base. */
export function parseGoInt(text: string): number {
  if (!INTEGER.test(text)) throw mustBe("an integer");
  const digits = text.replaceAll("_", "").replace(/^[+-]/, "");
  // A leading zero alone means octal, which BigInt spells differently.
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
  const value = text.startsWith("-") ? -magnitude : magnitude;
  if (BigInt.asIntN(64, value) !== value) throw mustBe("an integer of 64 bits");
  return Number(value);
}

/** `strconv.ParseUint` with base 10 and `bits` bits. */
export function parseGoUint(text: string, bits: number): number {
  if (!UNSIGNED.test(text)) throw mustBe("an integer of at least 0");
  const value = BigInt(text);
  if (BigInt.asUintN(bits, value) !== value) throw mustBe(`an integer of at most ${2n ** BigInt(bits) - 1n}`);
  return Number(value);
}

/** `strconv.ParseBool`. */
export function parseGoBool(text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw mustBe("true or false");
}

/** `strconv.ParseFloat`, without hexadecimal. */
export function parseGoFloat(text: string): number {
  if (!FLOAT.test(text)) throw mustBe("a number");
  const named = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (named === null) return Number(text);
  if (named[2]?.toLowerCase() === "nan") return Number.NaN;
  return named[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function mustBe(wanted: string): FlagError {
  return new FlagError(`must be ${wanted}`);
}
