import type { UserInfo } from "../apimachinery/user-info.ts";
import { CsvError, type CsvRecord, parseCsv } from "./csv.ts";

/** The tokens of a token file, and warnings about it. */
export interface TokenAuthFile {
  readonly tokens: ReadonlyMap<string, UserInfo>;
  readonly warnings: readonly string[];
}

/**
 * Reads the CSV that kube-apiserver takes with `--token-auth-file`: token, user, uid, and optional groups, separated by
 * commas inside one quoted field. `path` is only for messages.
 * @throws {Error} with upstream's text and the line, for text that is not CSV and for a record that is too short
 */
export function parseTokenAuthFile(text: string, path: string): TokenAuthFile {
  const tokens = new Map<string, UserInfo>();
  const warnings: string[] = [];
  const warn = (kind: string, record: number) =>
    warnings.push(`${kind} token has been found in token file '${path}', record number '${record}'`);
  for (const [index, { fields, line }] of recordsOf(text, path).entries()) {
    const [token, name, uid, groups] = fields;
    if (token === undefined || name === undefined || uid === undefined) {
      throw new Error(
        `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${fields.length} in line ${line}`,
      );
    }
    if (token === "") {
      warn("empty", index + 1);
      continue;
    }
    if (tokens.has(token)) warn("duplicate", index + 1);
    tokens.set(token, { name, uid, groups: groups?.split(",") ?? [], extra: {} });
  }
  return { tokens, warnings };
}

function recordsOf(text: string, path: string): readonly CsvRecord[] {
  try {
    return parseCsv(text);
  } catch (error) {
    if (error instanceof CsvError) throw new CsvError(`token file '${path}': ${error.message}`);
    throw error;
  }
}
