import type { UserInfo } from "../apimachinery/user-info.ts";
import { parseCsv } from "./csv.ts";

/** The tokens of a token file, and warnings about it. */
export interface TokenAuthFile {
  readonly tokens: ReadonlyMap<string, UserInfo>;
  readonly warnings: readonly string[];
}

/**
 * Reads the CSV that kube-apiserver takes with `--token-auth-file`: token, user, uid, and optional groups, separated by
 * commas inside one quoted field. `path` is only for messages.
 */
export function parseTokenAuthFile(text: string, path: string): TokenAuthFile {
  const tokens = new Map<string, UserInfo>();
  const warnings: string[] = [];
  const warn = (kind: string, record: number) =>
    warnings.push(`${kind} token has been found in token file '${path}', record number '${record}'`);
  for (const [index, record] of parseCsv(text).entries()) {
    const [token, name, uid, groups] = record;
    if (token === undefined || name === undefined || uid === undefined) {
      throw new Error(
        `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`,
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
