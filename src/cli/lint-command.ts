import { readFileSync } from "node:fs";
import { isJsonObject } from "../apimachinery/json.ts";
import { parseJson } from "../codec/json/json.ts";
import { parseYaml } from "../codec/yaml/yaml.ts";
import type { DeprecationFinding } from "../lifecycle/deprecation-finding.ts";
import { type DeprecationPlan, lintDeprecations } from "../lifecycle/lint-deprecations.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, parseFlags } from "./flag-set.ts";
import { lintHelp } from "./lint-help.ts";

const flags: readonly Flag[] = [
  { name: "output", type: "string", shorthand: "o" },
  { name: "help", type: "bool", shorthand: "h" },
];

const status = { clean: 0, findings: 1, unusable: 2 } as const;

/** `kubedouble lint-deprecations FILE...`: writes what plans break of the deprecation policy. */
export async function lintCommand(args: readonly string[]): Promise<number> {
  try {
    return lint(args);
  } catch (error) {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof FlagError)
      process.stderr.write("See 'kubedouble lint-deprecations --help' for usage.\n");
    return status.unusable;
  }
}

function lint(args: readonly string[]): number {
  const { values, operands } = parseFlags(flags, args);
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

/** @throws {Error} that names the file */
function findingsIn(path: string): readonly DeprecationFinding[] {
  try {
    const text = readFileSync(path === "-" ? 0 : path, "utf8");
    const plan = /^\s*[[{]/.test(text) ? parseJson(text) : parseYaml(text);
    if (!isJsonObject(plan))
      throw new Error("it is not an object with apis, flags, behaviors, featureGates or metrics");
    // The function checks every member.
    return lintDeprecations(plan as DeprecationPlan);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function lineOf({ rule, subject, message, earliest }: DeprecationFinding): string {
  return `${rule} ${subject}: ${message}${earliest === undefined ? "" : `; earliest: ${earliest}`}`;
}
