import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { parseRelease } from "../apimachinery/release.ts";
import { type CompileOptions, compileExpression, ExpressionError } from "../cel/evaluate.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import { parseYaml } from "../codec/yaml/yaml.ts";
import { evalHelp } from "./eval-help.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, type ParsedFlags, parseFlags } from "./flag-set.ts";

const flags: readonly Flag[] = [
  { name: "file", type: "string", shorthand: "f" },
  { name: "old-file", type: "string" },
  { name: "schema", type: "string" },
  { name: "release", type: "string" },
  { name: "verbose", type: "bool" },
  { name: "help", type: "bool", shorthand: "h" },
];

/** @throws {FlagError} */
export function parseEvalFlags(args: readonly string[]): ParsedFlags {
  return parseFlags(flags, args);
}

/** `kubedouble eval EXPRESSION`: writes the value of an expression, or its error with status 1. */
export async function evalCommand(args: readonly string[]): Promise<number> {
  const parsed = parseEvalFlags(args);
  if (lastValue(parsed, "help") === "true") {
    process.stdout.write(evalHelp);
    return 0;
  }
  const [expression, extra] = parsed.operands;
  if (expression === undefined || extra !== undefined) {
    throw new FlagError('eval needs one expression, for example: kubedouble eval "1 + 2"');
  }
  try {
    const compiled = compileExpression(expression, optionsOf(parsed));
    const { value, cost } = compiled.evaluate(variablesOf(parsed));
    process.stdout.write(`${encodeJson(value)}\n`);
    if (lastValue(parsed, "verbose") === "true") {
      const { min, max } = compiled.estimatedCost;
      process.stdout.write(`type: ${compiled.type}\nestimated cost: ${min} to ${max}\ncost: ${cost}\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function lastValue(parsed: ParsedFlags, name: string): string | undefined {
  return parsed.values.get(name)?.at(-1);
}

function optionsOf(parsed: ParsedFlags): CompileOptions {
  const schema = lastValue(parsed, "schema");
  const release = lastValue(parsed, "release");
  return {
    ...(schema !== undefined && { schema: schemaIn(readValue(schema), schema) }),
    ...(release !== undefined && { release: parseRelease(release) }),
  };
}

/** The object of a file is `self`, as in custom resources, and `object`, as in admission policies. */
function variablesOf(parsed: ParsedFlags): JsonObject {
  const file = lastValue(parsed, "file");
  const oldFile = lastValue(parsed, "old-file");
  const object = file === undefined ? undefined : readValue(file);
  const oldObject = oldFile === undefined ? undefined : readValue(oldFile);
  return {
    ...(object !== undefined && { self: object, object }),
    ...(oldObject !== undefined && { oldSelf: oldObject, oldObject }),
  };
}

function readValue(path: string): JsonValue {
  const text = readFileSync(path === "-" ? 0 : path, "utf8");
  return /^\s*[[{]/.test(text) ? parseJson(text) : parseYaml(text);
}

/** The schema of the version that a CustomResourceDefinition stores, or the schema itself. */
function schemaIn(value: JsonValue, path: string): JsonObject {
  if (!isJsonObject(value)) throw new FlagError(`${path}: not a schema and not a CustomResourceDefinition`);
  if (value["kind"] !== "CustomResourceDefinition") return value;
  const spec = value["spec"];
  const versions =
    isJsonObject(spec) && Array.isArray(spec["versions"]) ? spec["versions"].filter(isJsonObject) : [];
  const version = versions.find(({ storage }) => storage === true) ?? versions[0];
  const schema = version?.["schema"];
  const openApi = isJsonObject(schema) ? schema["openAPIV3Schema"] : undefined;
  if (!isJsonObject(openApi)) throw new FlagError(`${path}: the CustomResourceDefinition has no schema`);
  return openApi;
}
