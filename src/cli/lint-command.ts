import { messageOf } from "../apimachinery/errors/message-of.ts";
import { plainJson, StrictErrors } from "../apimachinery/go/parsed-json.ts";
import { isJsonObject } from "../apimachinery/json.ts";
import { splitManifests, type TextDocument } from "../cluster/seeding/manifest-text.ts";
import { readJson } from "../codec/json/json.ts";
import { readYaml } from "../codec/yaml/yaml.ts";
import type { DeprecationFinding } from "../lifecycle/deprecation-finding.ts";
import { type DeprecationPlan, lintDeprecations } from "../lifecycle/lint-deprecations.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, type ParsedFlags, parseFlags } from "./flag-set.ts";
import { lintHelp } from "./lint-help.ts";
import { readTexts } from "./manifests.ts";

const flags: readonly Flag[] = [
  { name: "output", type: "string", shorthand: "o" },
  { name: "help", type: "bool", shorthand: "h" },
];

const status = { clean: 0, findings: 1, unusable: 2 } as const;

/** @throws {FlagError} */
export function parseLintFlags(args: readonly string[]): ParsedFlags {
  return parseFlags(flags, args);
}

/** `kubedouble lint-deprecations FILE...`: writes what plans break of the deprecation policy. */
export async function lintCommand(args: readonly string[]): Promise<number> {
  try {
    return lint(args);
  } catch (error) {
    process.stderr.write(`Error: ${messageOf(error)}\n`);
    if (error instanceof FlagError)
      process.stderr.write("See 'kubedouble lint-deprecations --help' for usage.\n");
    return status.unusable;
  }
}

function lint(args: readonly string[]): number {
  const { values, operands } = parseLintFlags(args);
  if (values.get("help")?.at(-1) === "true") {
    process.stdout.write(lintHelp);
    return status.clean;
  }
  const output = values.get("output")?.at(-1) ?? "text";
  if (output !== "text" && output !== "json")
    throw new FlagError(`--output ${JSON.stringify(output)} is not "text" or "json"`);
  if (operands.length === 0)
    throw new FlagError(
      "lint-deprecations needs a file, for example: kubedouble lint-deprecations plan.yaml",
    );
  const findings = operands.flatMap(findingsIn);
  if (output === "json") process.stdout.write(`${JSON.stringify({ findings }, null, 2)}\n`);
  else for (const finding of findings) process.stdout.write(`${lineOf(finding)}\n`);
  return findings.length === 0 ? status.clean : status.findings;
}

/** Each document of a file is a plan. @throws {Error} that names the file */
function findingsIn(path: string): readonly DeprecationFinding[] {
  const texts = named(path, () => readTexts([path]));
  if (texts.length === 0) throw new Error(`${path}: the directory has no files of YAML or JSON`);
  return texts.flatMap(({ text, name }) => {
    const documents = splitManifests(withoutMark(text), name);
    if (documents.length === 0) throw new Error(`${name}: ${noPlan}`);
    return documents.flatMap((document) => named(document.source, () => findingsOf(document)));
  });
}

const noPlan = "it is not an object with apis, flags, behaviors, featureGates or metrics";

function findingsOf({ text, isJson }: TextDocument): readonly DeprecationFinding[] {
  const { value, strictErrors } = isJson ? { value: readJson(text), strictErrors: [] } : readYaml(text);
  const duplicates = new StrictErrors();
  const plan = plainJson(value, duplicates);
  const [problem] = [...strictErrors, ...duplicates.list()];
  if (problem !== undefined) throw new Error(problem);
  if (!isJsonObject(plan)) throw new Error(noPlan);
  // The function checks every member.
  return lintDeprecations(plan as DeprecationPlan);
}

/** The byte order mark that editors of Windows write. */
function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, "");
}

/** @throws {Error} that names the file */
function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`);
  }
}

function lineOf({ rule, subject, message, earliest }: DeprecationFinding): string {
  return `${rule} ${subject}: ${message}${earliest === undefined ? "" : `; earliest: ${earliest}`}`;
}
