import { type CelError, celError } from "../../values/cel-error.ts";
import { doubleValue, isInt, Uint } from "../../values/numbers.ts";
import { typeOf } from "../../values/type-of.ts";
import type { CelValue } from "../../values/value.ts";
import { formatDoubleClause } from "./format-double.ts";
import { formatStringClause } from "./format-string.ts";
import type { FormatStyle } from "./format-style.ts";

const defaultPrecision = 6;
const maxPrecision = 1000;

/** `text.format(arguments)` */
export function formatting(style: FormatStyle): (text: string, args: readonly CelValue[]) => CelValue {
  return (text, args) => {
    let result = "";
    let used = 0;
    let at = 0;
    for (let percent = text.indexOf("%"); percent >= 0; percent = text.indexOf("%", at)) {
      result += text.slice(at, percent);
      if (text[percent + 1] === "%") {
        result += "%";
        at = percent + 2;
        continue;
      }
      const argument = args[used];
      if (argument === undefined) return celError(`index ${used} out of range`);
      if (percent + 1 >= text.length) return celError("unexpected end of string");
      const clause = /(?:\.(\d*))?(.?)/suy;
      clause.lastIndex = percent + 1;
      const [whole = "", digits, verb = ""] = clause.exec(text) ?? [];
      const formatted = formatClause(style, verb, digits, argument);
      if (typeof formatted !== "string") return formatted;
      result += formatted;
      used++;
      at = percent + 1 + whole.length;
    }
    return result + text.slice(at);
  };
}

function formatClause(
  style: FormatStyle,
  verb: string,
  digits: string | undefined,
  value: CelValue,
): string | CelError {
  const malformed = (message: string) => celError(`could not parse formatting clause: ${message}`);
  if (digits !== undefined && verb === "") {
    return malformed("error while parsing precision: could not find end of precision specifier");
  }
  if (digits === "") {
    return malformed(
      'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    );
  }
  const precision = digits === undefined ? defaultPrecision : Number(digits);
  if (precision > maxPrecision)
    return malformed(`error while parsing precision: precision exceeds ${maxPrecision}`);
  const formatted = clauses.get(verb)?.(value, style, precision);
  if (formatted === undefined) return malformed(`unrecognized formatting clause "${verb}"`);
  return typeof formatted === "string"
    ? formatted
    : celError(`error during formatting: ${formatted.message}`);
}

type Clause = (value: CelValue, style: FormatStyle, precision: number) => string | CelError;

const clauses: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  ["s", (value, style) => formatStringClause(value, style)],
  ["d", formatDecimal],
  ["f", (value, style, precision) => formatDoubleClause(value, style, "f", precision)],
  ["e", (value, style, precision) => formatDoubleClause(value, style, "e", precision)],
  ["b", formatBinary],
  ["x", (value) => formatHex(value)],
  ["X", (value) => upper(formatHex(value))],
  ["o", (value) => integerIn(8, value) ?? wrongType("octal clause can only be used on integers", value)],
]);

/** The error of a value that a clause does not take. */
export function wrongType(what: string, value: CelValue): CelError {
  return celError(`${what}, was given ${typeOf(value).name}`);
}

function formatDecimal(value: CelValue, style: FormatStyle): string | CelError {
  const text = integerIn(10, value);
  if (text !== undefined) return text;
  if (style === "plain" && doubleValue(value) !== undefined) return formatStringClause(value, style);
  return wrongType("decimal clause can only be used on integers", value);
}

function formatBinary(value: CelValue): string | CelError {
  if (typeof value === "boolean") return value ? "1" : "0";
  return integerIn(2, value) ?? wrongType("only integers and bools can be formatted as binary", value);
}

function formatHex(value: CelValue): string | CelError {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (bytes instanceof Uint8Array) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return (
    integerIn(16, value) ??
    wrongType("only integers, byte buffers, and strings can be formatted as hex", value)
  );
}

function upper(text: string | CelError): string | CelError {
  return typeof text === "string" ? text.toUpperCase() : text;
}

/** An integer in a base; undefined for other values. */
function integerIn(base: number, value: CelValue): string | undefined {
  if (value instanceof Uint) return value.value.toString(base);
  return isInt(value) ? value.toString(base) : undefined;
}
