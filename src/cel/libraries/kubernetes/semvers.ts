import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { FunctionDeclaration, Library } from "../../environment/declarations.ts";
import { declare, global, member } from "../../environment/declare.ts";
import { type CelType, types } from "../../types/cel-type.ts";
import { type CelError, celError, isError } from "../../values/cel-error.ts";
import { intOf } from "../../values/numbers.ts";
import { OpaqueValue } from "../../values/opaque-value.ts";
import type { CelValue } from "../../values/value.ts";
import { binary, unary } from "../arguments.ts";
import { traversing } from "../costs.ts";
import { type Guard, isString } from "../guards.ts";
import { namedType } from "./named-type.ts";

const semverType: CelType = namedType("kubernetes.Semver");
const { bool, int, string } = types;

class SemverValue extends OpaqueValue {
  readonly type = semverType;
  /** Major, minor and patch. */
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];
  readonly build: string;

  constructor(numbers: readonly bigint[], prerelease: readonly string[], build: string) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
    this.build = build;
  }

  equals(other: SemverValue): boolean {
    return compare(this, other) === 0;
  }

  toString(): string {
    const prerelease = this.prerelease.length === 0 ? "" : `-${this.prerelease.join(".")}`;
    return `${this.numbers.join(".")}${prerelease}${this.build === "" ? "" : `+${this.build}`}`;
  }
}

const isSemver: Guard<SemverValue> = (value): value is SemverValue => value instanceof SemverValue;
const isBoolean: Guard<boolean> = (value) => typeof value === "boolean";
const pair = [semverType, semverType];
const reading = traversing(0);

/** semver, isSemver, their order and their numbers. */
export const semvers: Library = {
  functions: [
    declare(
      "semver",
      global("string_to_semver", [string], semverType, unary(isString, parse), reading),
      global(
        "string_bool_to_semver",
        [string, bool],
        semverType,
        binary(isString, isBoolean, normalizedIf),
        reading,
      ),
    ),
    declare(
      "isSemver",
      global(
        "is_semver_string",
        [string],
        bool,
        unary(isString, (text) => !isError(parse(text))),
        reading,
      ),
      global(
        "is_semver_string_bool",
        [string, bool],
        bool,
        binary(isString, isBoolean, (text, normalize) => !isError(normalizedIf(text, normalize))),
        reading,
      ),
    ),
    declare(
      "isGreaterThan",
      member(
        "semver_is_greater_than",
        pair,
        bool,
        comparing((order) => order > 0),
      ),
    ),
    declare(
      "isLessThan",
      member(
        "semver_is_less_than",
        pair,
        bool,
        comparing((order) => order < 0),
      ),
    ),
    declare(
      "compareTo",
      member(
        "semver_compare_to",
        pair,
        int,
        comparing((order) => order),
      ),
    ),
    number("major", 0),
    number("minor", 1),
    number("patch", 2),
  ],
};

function number(name: string, index: number): FunctionDeclaration {
  const call = unary(isSemver, ({ numbers }) => intOf(numbers[index] ?? 0n) ?? 0);
  return declare(name, member(`semver_${name}`, [semverType], int, call));
}

function comparing(result: (order: number) => CelValue) {
  return binary(isSemver, isSemver, (a, b) => result(compare(a, b)));
}

function normalizedIf(text: string, normalize: boolean): CelValue {
  return normalize ? normalized(text) : parse(text);
}

/** Parses a version as github.com/blang/semver does, on whose errors the texts here depend. */
function parse(text: string): SemverValue | CelError {
  if (text === "") return celError("Version string empty");
  const parts = text.split(".");
  if (parts.length < 3) return celError("No Major.Minor.Patch elements found");
  const [, core = "", prerelease, build] =
    /^([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(parts.slice(2).join(".")) ?? [];
  const numbers: bigint[] = [];
  for (const [name, part] of [
    ["major", parts[0]],
    ["minor", parts[1]],
    ["patch", core],
  ] as const) {
    const value = numberOf(name, part ?? "");
    if (isError(value)) return value;
    numbers.push(value);
  }
  const identifiers = prerelease === undefined ? [] : prerelease.split(".");
  for (const identifier of identifiers) {
    const error = prereleaseError(identifier);
    if (error !== undefined) return celError(error);
  }
  for (const item of build === undefined ? [] : build.split(".")) {
    if (item === "") return celError("Build meta data is empty");
    if (!/^[0-9A-Za-z-]+$/.test(item))
      return celError(`Invalid character(s) found in build meta data ${goQuote(item)}`);
  }
  return new SemverValue(numbers, identifiers, build ?? "");
}

function numberOf(name: "major" | "minor" | "patch", text: string): bigint | CelError {
  const title = name[0]?.toUpperCase() + name.slice(1);
  if (!/^[0-9]*$/.test(text))
    return celError(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  if (text.length > 1 && text.startsWith("0")) {
    return celError(`${title} number must not contain leading zeroes ${goQuote(text)}`);
  }
  if (text === "") return celError('strconv.ParseUint: parsing "": invalid syntax');
  const value = BigInt(text.slice(0, 25));
  if (value >= 2n ** 64n) return celError(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`);
  return value;
}

function prereleaseError(text: string): string | undefined {
  if (text === "") return "Prerelease is empty";
  if (/^[0-9]+$/.test(text)) {
    const hasLeadingZero = text.length > 1 && text.startsWith("0");
    return hasLeadingZero
      ? `Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`
      : undefined;
  }
  return /^[0-9A-Za-z-]+$/.test(text)
    ? undefined
    : `Invalid character(s) found in prerelease ${goQuote(text)}`;
}

/** Parses a version after removing a leading v and zeros, and adding the numbers that are missing. */
function normalized(text: string): SemverValue | CelError {
  const [major = "", minor, ...rest] = text.replace(/^v/, "").split(".");
  const parts = [major, minor, rest.length === 0 ? undefined : rest.join(".")].filter(
    (part) => part !== undefined,
  );
  const stripped = parts.map((part) => (part.length > 1 ? part.replace(/^0+(?=[0-9])/, "") : part));
  if (stripped.length < 3) {
    if (/[+-]/.test(stripped.at(-1) ?? "")) {
      return celError("short version cannot contain PreRelease/Build meta data");
    }
    while (stripped.length < 3) stripped.push("0");
  }
  return parse(stripped.join("."));
}

/** The order of semantic versioning: a prerelease comes before its release; build data do not count. */
function compare(a: SemverValue, b: SemverValue): number {
  for (const [i, value] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0n;
    if (value !== other) return value > other ? 1 : -1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  for (const [i, identifier] of a.prerelease.entries()) {
    const other = b.prerelease[i];
    if (other === undefined) return 1;
    const order = compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

/** Numbers come before texts. */
function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => (/^[0-9]+$/.test(text) ? BigInt(text) : undefined));
  if (left !== undefined && right !== undefined) return Number(left > right) - Number(left < right);
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return Number(a > b) - Number(a < b);
}
