import { DecodeError } from "../apimachinery/decode-error.ts";
import { parseDuration } from "../apimachinery/duration.ts";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { parseIp } from "../apimachinery/ip.ts";
import { parseCsv } from "./csv.ts";
import { FlagError } from "./flag-error.ts";
import { parseGoBool, parseGoFloat, parseGoInt, parseGoUint } from "./go-values.ts";

/** The types of flag values, with the names of pflag. */
export type FlagType =
  | "string"
  | "bool"
  | "int"
  | "int64"
  | "float64"
  | "duration"
  | "ip"
  | "stringSlice"
  | "stringArray"
  | "stringToString"
  | "mapStringString"
  | "colonSeparatedMultimapStringString"
  | "namedCertKey"
  | "portRange"
  | "quantity"
  | "level"
  | "pattern"
  | "version"
  | "parts"
  | "cidrs";

/** Throws a FlagError if the text is not a value of the type. Types without a rule accept any text. */
export function checkFlagValue(type: FlagType, text: string): void {
  checks[type]?.(text);
}

const checks: { readonly [type in FlagType]?: (text: string) => unknown } = {
  bool: parseGoBool,
  int: parseGoInt,
  int64: parseGoInt,
  float64: parseGoFloat,
  duration: checkDuration,
  ip: checkIp,
  stringSlice: parseStringSlice,
  stringToString: parseStringToString,
  namedCertKey: checkNamedCertKey,
  portRange: checkPortRange,
  quantity: checkQuantity,
  level: (text) => parseGoUint(text, 31),
  pattern: checkPattern,
  parts: (text) => (["true", "false"].includes(text) ? undefined : parseStringSlice(text)),
  version: (text) => (text === "raw" || text.startsWith("v") ? undefined : parseGoBool(text)),
};

/** One record of CSV, as pflag reads the values of lists. */
export function parseStringSlice(text: string): string[] {
  if (text === "") return [];
  try {
    return [...(parseCsv(text)[0]?.fields ?? [])];
  } catch (error) {
    throw new FlagError(messageOf(error));
  }
}

function checkDuration(text: string): void {
  try {
    parseDuration(text);
  } catch (error) {
    throw error instanceof DecodeError ? new FlagError(error.message) : error;
  }
}

function checkIp(text: string): void {
  if (parseIp(text.trim()) === undefined) throw new FlagError(`failed to parse IP: ${goQuote(text)}`);
}

/** Pairs `key=value`. One pair may contain commas; several are a record of CSV (pflag, string_to_string.go). */
export function parseStringToString(text: string): readonly (readonly [key: string, value: string])[] {
  const pairs = text.split("=").length > 2 ? parseStringSlice(text) : [text.replace(/^"+|"+$/g, "")];
  return pairs.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 0) throw new FlagError(`${pair} must be formatted as key=value`);
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

function checkNamedCertKey(text: string): void {
  const [files = "", names] = text.split(":", 2);
  if (names !== undefined && names.trim() === "") throw new FlagError("empty names list is not allowed");
  if (files.split(",").length !== 2) {
    throw new FlagError("expected comma separated certificate and key file paths");
  }
}

function checkPortRange(text: string): void {
  const [, first, separator, second] = /^\s*([0-9]+)\s*([-+]?)\s*([0-9]*)\s*$/.exec(text) ?? [];
  const isRange = first !== undefined && (separator === "") === (second === "");
  if (!isRange) throw new FlagError(`unable to parse port range: ${text}`);
  const last = separator === "-" ? Number(second) : Number(first) + Number(second);
  if (Number(first) > 65535 || last > 65535) {
    throw new FlagError(`the port range cannot be greater than 65535: ${text}`);
  }
  if (Number(first) > last) throw new FlagError(`end port cannot be less than start port: ${text}`);
}

function checkQuantity(text: string): void {
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[EPTGMK]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/.test(text)) {
    throw new FlagError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
}

function checkPattern(text: string): void {
  for (const item of text.split(",")) {
    if (item === "") continue;
    const [pattern, level, more] = item.split("=");
    if (!pattern || !level || more !== undefined) {
      throw new FlagError(`${goQuote(item)} does not have the pattern=N format`);
    }
    try {
      parseGoUint(level, 31);
    } catch (error) {
      throw new FlagError(`parsing verbosity in ${goQuote(item)}: ${(error as FlagError).message}`);
    }
  }
}
