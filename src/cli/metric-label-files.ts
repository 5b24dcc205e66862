import { readFileSync } from "node:fs";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { isJsonObject, type JsonValue } from "../apimachinery/json.ts";
import { parseYaml } from "../codec/yaml/yaml.ts";
import { FlagError } from "./flag-error.ts";
import { parseStringToString } from "./flag-types.ts";

/**
 * The allowed values of `--allow-metric-labels`, such as `metric,label=v1,v2`, and of the file of `--allow-metric-labels-manifest`, which
 * the flag overrides; undefined without either.
 * @throws {FlagError} for a file that cannot be read or is no map of texts, and for what is no pair
 */
export function allowedMetricLabels(
  pairs: readonly string[] = [],
  manifest: string | undefined,
): { readonly [key: string]: string } | undefined {
  const entries = pairs.flatMap(parseStringToString);
  if (entries.length === 0 && manifest === undefined) return undefined;
  return { ...(manifest !== undefined && mappingIn(manifest)), ...Object.fromEntries(entries) };
}

function mappingIn(path: string): { readonly [key: string]: string } {
  let value: JsonValue;
  try {
    value = parseYaml(readFileSync(path, "utf8"));
  } catch (error) {
    throw new FlagError(`failed to read allow list manifest: ${messageOf(error)}`);
  }
  const entries = isJsonObject(value) ? Object.entries(value) : undefined;
  const texts = entries?.flatMap(([key, values]) =>
    typeof values === "string" ? [[key, values] as const] : [],
  );
  if (texts === undefined || texts.length !== entries?.length) {
    throw new FlagError(`failed to parse allow list manifest: ${path} must map metric,label to text`);
  }
  return Object.fromEntries(texts);
}
