import { messageOf } from "../apimachinery/errors/message-of.ts";
import type { JsonValue } from "../apimachinery/json.ts";
import { parseRelease } from "../apimachinery/release.ts";
import { toJson } from "../apimachinery/to-json.ts";
import { defaultRelease } from "../cluster/options.ts";
import { splitManifests } from "../cluster/seeding/manifest-text.ts";
import { encodePrettyJson } from "../codec/json/json.ts";
import { type ApiFinding, apiFindings } from "./api-findings.ts";
import { checkHelp } from "./check-help.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, type ParsedFlags, parseFlags } from "./flag-set.ts";
import { readTextsBelow } from "./manifests.ts";

const flags: readonly Flag[] = [
  { name: "filename", type: "stringArray", shorthand: "f" },
  { name: "release", type: "string" },
  { name: "fail-on", type: "string" },
  { name: "output", type: "string", shorthand: "o" },
  { name: "help", type: "bool", shorthand: "h" },
];

/** @throws {FlagError} */
export function parseCheckFlags(args: readonly string[]): ParsedFlags {
  return parseFlags(flags, args);
}

/** `kubedouble check -f FILE --release 1.32`: writes what the release does not serve or deprecates. The status says whether it found any. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  try {
    return check(parseCheckFlags(args));
  } catch (error) {
    console.error(`Error: ${messageOf(error)}`);
    if (error instanceof FlagError) console.error("See 'kubedouble check --help' for usage.");
    return 2;
  }
}

function check(parsed: ParsedFlags): number {
  if (parsed.values.get("help")?.at(-1) === "true") {
    process.stdout.write(checkHelp);
    return 0;
  }
  const output = choice(parsed, "output", "text", "json");
  const failOn = choice(parsed, "fail-on", "removed", "deprecated");
  const release = parseRelease(parsed.values.get("release")?.at(-1) ?? defaultRelease);
  const findings = readTextsBelow(filesOf(parsed)).flatMap(({ text, name }) =>
    splitManifests(text, name).flatMap(({ value, source }) => apiFindings(value, source, release)),
  );
  process.stdout.write(output === "json" ? asJson(findings) : findings.map(lineOf).join(""));
  return findings.some(({ state }) => failOn === "deprecated" || state !== "deprecated") ? 1 : 0;
}

/** The value of a flag; the first choice by default. @throws {FlagError} for another value */
function choice<const T extends string>(
  { values }: ParsedFlags,
  flag: string,
  ...choices: readonly [T, T]
): T {
  const given = values.get(flag)?.at(-1) ?? choices[0];
  const chosen = choices.find((one) => one === given);
  if (chosen !== undefined) return chosen;
  throw new FlagError(`--${flag} ${JSON.stringify(given)} is not "${choices.join('" or "')}"`);
}

/** @throws {FlagError} without a file. A shell expands `-f dir/*` to one value and operands. */
function filesOf({ values, operands }: ParsedFlags): readonly string[] {
  const files = values.get("filename");
  if (files !== undefined) return [...files, ...operands];
  throw new FlagError("check needs files, for example: kubedouble check -f manifests/ --release 1.32");
}

function lineOf({ source, name, message }: ApiFinding): string {
  return `${source}: ${name === "" ? "" : `${name}: `}${message}\n`;
}

function asJson(findings: readonly ApiFinding[]): string {
  const json: JsonValue = toJson(findings) ?? [];
  return `${encodePrettyJson(json)}\n`;
}
