import { goQuote } from "../apimachinery/go/go-quote.ts";
import { nearestName } from "../apimachinery/nearest-name.ts";
import { FlagError } from "./flag-error.ts";
import { checkFlagValue, type FlagType } from "./flag-types.ts";

/** A flag that a command knows. */
export interface Flag {
  readonly name: string;
  readonly type: FlagType;
  /** One letter that also stands for it. */
  readonly shorthand?: string;
}

/** A parsed command line. */
export interface ParsedFlags {
  /** Flag name to its values, in the order given; every value has been checked. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The arguments before `--` that are not flags. */
  readonly operands: readonly string[];
  /** The arguments after `--`; undefined if there is no `--`. */
  readonly rest: readonly string[] | undefined;
}

/**
 * Reads a command line by the rules of pflag: `--flag value`, `--flag=value`, `-f value`, `-fvalue`, a bool without a
 * value, flags and operands in any order, `--` to end the flags, `_` in a name instead of `-`.
 * @throws {FlagError} with pflag's messages
 */
export function parseFlags(flags: readonly Flag[], args: readonly string[]): ParsedFlags {
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const byShorthand = new Map(flags.flatMap((flag) => (flag.shorthand ? [[flag.shorthand, flag]] : [])));
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  const queue = [...args];
  const set = (flag: Flag, value: string) => {
    check(flag, value);
    const known = values.get(flag.name);
    if (known === undefined) values.set(flag.name, [value]);
    else known.push(value);
  };
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === "--") return { values, operands, rest: queue };
    if (arg.startsWith("--")) readLong(arg, byName, queue, set);
    else if (arg.startsWith("-") && arg.length > 1) readShort(arg, byShorthand, queue, set);
    else operands.push(arg);
  }
  return { values, operands, rest: undefined };
}

type Set = (flag: Flag, value: string) => void;

function readLong(arg: string, byName: ReadonlyMap<string, Flag>, queue: string[], set: Set): void {
  const equals = arg.indexOf("=");
  const name = arg.slice(2, equals < 0 ? undefined : equals);
  if (name === "" || name.startsWith("-")) throw new FlagError(`bad flag syntax: ${arg}`);
  const flag = byName.get(name.replaceAll("_", "-"));
  if (flag === undefined) {
    const nearest = nearestName(name.replaceAll("_", "-"), byName.keys());
    const hint = nearest === undefined ? "" : `; did you mean --${nearest}?`;
    throw new FlagError(`unknown flag: --${name}${hint}`);
  }
  set(flag, equals < 0 ? valueAfter(flag, queue, `flag needs an argument: ${arg}`) : arg.slice(equals + 1));
}

/** Several letters may follow one `-`; the first one that needs a value takes the rest. */
function readShort(arg: string, byShorthand: ReadonlyMap<string, Flag>, queue: string[], set: Set): void {
  for (let letters = arg.slice(1); letters !== ""; letters = letters.slice(1)) {
    const letter = letters.charAt(0);
    const flag = byShorthand.get(letter);
    if (flag === undefined) throw new FlagError(`unknown shorthand flag: '${letter}' in -${letters}`);
    const hasValue = letters.length > 2 && letters[1] === "=";
    if (!hasValue && needsNoValue(flag)) {
      set(flag, "true");
      continue;
    }
    const left = letters.slice(hasValue ? 2 : 1);
    const missing = `flag needs an argument: '${letter}' in -${letters}`;
    set(flag, left === "" ? valueAfter(flag, queue, missing) : left);
    return;
  }
}

/** The value of a flag without `=`. */
function valueAfter(flag: Flag, queue: string[], missing: string): string {
  if (needsNoValue(flag)) return "true";
  const value = queue.shift();
  if (value === undefined) throw new FlagError(missing);
  return value;
}

function needsNoValue(flag: Flag): boolean {
  return flag.type === "bool" || flag.type === "version" || flag.type === "parts";
}

function check(flag: Flag, value: string): void {
  try {
    checkFlagValue(flag.type, value);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    const shown = flag.shorthand === undefined ? `--${flag.name}` : `-${flag.shorthand}, --${flag.name}`;
    throw new FlagError(`invalid argument ${goQuote(value)} for ${goQuote(shown)} flag: ${error.message}`);
  }
}
