import { DecodeError } from "./decode-error.ts";
import { interpretSuffix, type QuantityFormat, type Suffix, suffixFor } from "./quantity-suffix.ts";

const FORMAT_WRONG =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMERIC = "unable to parse numeric part of quantity";
const SUFFIX = "unable to parse quantity's suffix";

const GRAMMAR = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?|[-+])\d*)?$/;

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** The smallest scale of a quantity: nano. */
const NANO = -9;

/** The number of decimal digits that fit into an int64 in any case. */
const INT64_DIGITS = 18;

/** The limit for digits and for the power of ten. Upstream has none and can compute for hours on a short text. */
const MAX_LENGTH = 1000;

/** How upstream holds a quantity: as int64 and scale, or as an `inf.Dec`, which has no fast conversion to int64. */
type QuantityRepresentation = "int64" | "decimal";

/**
 * An exact amount of a resource: `value` times ten to the power of `scale`. Unlike upstream's, it is immutable. It
 * keeps the text that it was parsed from if that text is canonical.
 */
export class Quantity {
  readonly value: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  readonly representation: QuantityRepresentation;
  /** The text that upstream keeps beside the amount, in the field `s`: the parsed one, unless it may not be canonical. */
  readonly cachedText: string | undefined;
  #text: string | undefined;

  constructor(
    value: bigint,
    scale: number,
    format: QuantityFormat,
    representation: QuantityRepresentation = "int64",
    text?: string,
  ) {
    this.value = value;
    this.scale = scale;
    this.format = format;
    this.representation = representation;
    this.cachedText = text;
    this.#text = text;
  }

  /** The canonical text, or the parsed text if upstream keeps it. */
  toString(): string {
    this.#text ??= canonicalText(this);
    return this.#text;
  }

  get sign(): -1 | 0 | 1 {
    if (this.value === 0n) return 0;
    return this.value > 0n ? 1 : -1;
  }

  compare(other: Quantity): -1 | 0 | 1 {
    const [left, right] = aligned(this, other);
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }

  /** The sum, in the format of this quantity unless it is zero. */
  add(other: Quantity): Quantity {
    return this.#combined(other);
  }

  /** The difference, in the format of this quantity unless it is zero. */
  sub(other: Quantity): Quantity {
    return this.#combined(other.negate());
  }

  negate(): Quantity {
    return new Quantity(-this.value, this.scale, this.format, this.representation);
  }

  /** The amount, rounded away from zero to a multiple of ten to the power of `scale`, which becomes its scale. */
  roundUp(scale: number): Quantity {
    if (this.scale >= scale) return this;
    return new Quantity(scaledUp(this, scale), scale, this.format, this.representation);
  }

  /** The amount divided by ten to the power of `scale`, rounded away from zero. With -3, the amount in thousandths. */
  scaledValue(scale: number): bigint {
    return scaledUp(this, scale);
  }

  /**
   * The amount in thousandths as upstream's `MilliValue`, an int64: an `inf.Dec` beyond it wraps around, and a greater
   * amount in int64 is zero (apimachinery, pkg/api/resource/quantity.go and scale_int.go).
   */
  milliValue(): bigint {
    const value = scaledUp(this, -3);
    if (isInt64(value)) return value;
    return this.representation === "decimal" ? BigInt.asIntN(64, value) : 0n;
  }

  /** The int64 value, as upstream's `AsInt64`: undefined for fractions such as `1000m` and for an `inf.Dec`. */
  asInt64(): bigint | undefined {
    if (this.representation === "decimal" || this.scale < 0) return undefined;
    const value = this.value * powerOfTen(this.scale);
    return isInt64(value) ? value : undefined;
  }

  /** The nearest float64. */
  asApproximateFloat(): number {
    return Number(`${this.value}e${this.scale}`);
  }

  #combined(other: Quantity): Quantity {
    const format = this.value === 0n ? other.format : this.format;
    const representation = this.representation === "decimal" ? "decimal" : other.representation;
    if (other.value === 0n) return new Quantity(this.value, this.scale, format, representation);
    if (this.value === 0n) return new Quantity(other.value, other.scale, format, representation);
    const [left, right, scale] = aligned(this, other);
    return new Quantity(left + right, scale, format, isInt64(left + right) ? representation : "decimal");
  }
}

/** A canonical text: a small integer that, before a decimal suffix, is not a multiple of 1000. */
const CANONICAL = /^-?[1-9]\d{0,14}(?<!000)[numkMGTPE]?$|^[1-9]\d{0,2}[KMGT]i$/;

/**
 * Parses a quantity and formats it in its canonical form.
 * @throws {DecodeError} with the message of `resource.ParseQuantity`
 */
export function canonicalQuantity(text: string): string {
  if (text === "0" || CANONICAL.test(text)) return text;
  return parseQuantity(text).toString();
}

/** Parsed quantities. Few texts occur, each many times. */
const known = new Map<string, Quantity>();
const MOST_KNOWN = 1000;
const LONGEST_KNOWN = 20;

/**
 * Parses a quantity.
 * @throws {DecodeError} with the message of `resource.ParseQuantity`
 */
export function parseQuantity(text: string): Quantity {
  const before = known.get(text);
  if (before !== undefined) return before;
  const quantity = readQuantity(text);
  if (text.length > LONGEST_KNOWN) return quantity;
  if (known.size === MOST_KNOWN) known.clear();
  known.set(text, quantity);
  return quantity;
}

function readQuantity(text: string): Quantity {
  if (text === "0") return new Quantity(0n, 0, "DecimalSI", "int64", text);
  if (text.length > MAX_LENGTH) throw new DecodeError(NUMERIC);
  const match = text === "" ? null : GRAMMAR.exec(text);
  if (match === null) throw new DecodeError(FORMAT_WRONG);
  const [, sign, digits = "", fraction = "", suffixText = ""] = match;
  const suffix = interpretSuffix(suffixText);
  if (suffix === undefined) throw new DecodeError(SUFFIX);
  if (Math.abs(suffix.exponent) > MAX_LENGTH) throw new DecodeError(NUMERIC);
  const whole = digits.replace(/^0+/, "") || "0";
  const number = { text, negative: sign === "-", whole, fraction };
  const quantity = int64Quantity(number, suffix);
  if (quantity !== undefined) return quantity;
  if (digits + fraction === "") throw new DecodeError(NUMERIC);
  return decimalQuantity(number, suffix);
}

/** A number in decimal notation. `whole` has no leading zeros. */
interface Decimal {
  readonly text: string;
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** The quantity if upstream holds it as int64 and scale; undefined if it has too many digits. */
function int64Quantity({ text, negative, whole, fraction }: Decimal, suffix: Suffix): Quantity | undefined {
  const { base, exponent, format } = suffix;
  const digits = whole + fraction;
  const fits =
    base === 10
      ? digits.length <= INT64_DIGITS && exponent - fraction.length >= NANO
      : fraction === "" && whole.length + (exponent * 3) / 10 < 15;
  if (!fits) return undefined;
  const amount = BigInt(digits);
  const scale = base === 10 ? exponent - fraction.length : 0;
  const value = base === 10 ? amount : amount << BigInt(exponent);
  if (!isInt64(value)) return undefined;
  // Upstream keeps these texts, although `1.500` and `9000Ki` are not canonical.
  const keeps =
    base === 10
      ? scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0")
      : (amount & 7n) !== 0n;
  return new Quantity(negative ? -value : value, scale, format, "int64", keeps ? text : undefined);
}

/** A quantity that does not fit into int64: rounded up to nanos, binary amounts capped at the largest int64. */
function decimalQuantity({ negative, whole, fraction }: Decimal, suffix: Suffix): Quantity {
  const { base, exponent, format } = suffix;
  const factor = base === 2 ? 1n << BigInt(exponent) : 1n;
  const scale = (base === 10 ? exponent : 0) - fraction.length;
  const exact = new Quantity(BigInt(whole + fraction) * factor, scale, format);
  const one = powerOfTen(-NANO);
  const rounded = scaledUp(exact, NANO);
  const value = base === 2 && rounded > INT64_MAX * one ? INT64_MAX * one : rounded;
  const isFraction = base === 2 && value > 0n && value < one;
  return new Quantity(negative ? -value : value, NANO, isFraction ? "DecimalSI" : format, "decimal");
}

function canonicalText(quantity: Quantity): string {
  const { value, scale, format } = quantity;
  if (value === 0n) return "0";
  if (format === "BinarySI" && isWholeKibi(quantity)) {
    const [mantissa, exponent] = withoutFactors(scaledUp(quantity, 0), 1024n);
    return mantissa + suffixFor(2, exponent * 10, format);
  }
  const [digits, tens] = withoutFactors(value, 10n);
  const exponent = scale + tens;
  const excess = ((exponent % 3) + 3) % 3;
  const decimal = format === "BinarySI" ? "DecimalSI" : format;
  return digits + "0".repeat(excess) + suffixFor(10, exponent - excess, decimal);
}

/** Binary suffixes are for integers from 1024 on. Smaller amounts and fractions have a decimal suffix. */
function isWholeKibi(quantity: Quantity): boolean {
  const whole = scaledUp(quantity, 0);
  if (whole > -1024n && whole < 1024n) return false;
  return quantity.scale >= 0 || whole * powerOfTen(-quantity.scale) === quantity.value;
}

/** Divides by `factor` as often as possible without a remainder. */
function withoutFactors(value: bigint, factor: bigint): [digits: string, times: number] {
  let rest = value;
  let times = 0;
  while (rest % factor === 0n) {
    rest /= factor;
    times++;
  }
  return [rest.toString(), times];
}

/** Both values at the smaller of the two scales. */
function aligned(a: Quantity, b: Quantity): [a: bigint, b: bigint, scale: number] {
  if (a.scale === b.scale) return [a.value, b.value, a.scale];
  const scale = Math.min(a.scale, b.scale);
  return [a.value * powerOfTen(a.scale - scale), b.value * powerOfTen(b.scale - scale), scale];
}

/** The value at a scale, rounded away from zero. */
function scaledUp({ value, scale: from }: Quantity, scale: number): bigint {
  if (from >= scale) return value * powerOfTen(from - scale);
  const divisor = powerOfTen(scale - from);
  const quotient = value / divisor;
  if (quotient * divisor === value) return quotient;
  return value > 0n ? quotient + 1n : quotient - 1n;
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function isInt64(value: bigint): boolean {
  return value >= INT64_MIN && value <= INT64_MAX;
}
