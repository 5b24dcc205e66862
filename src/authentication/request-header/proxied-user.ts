import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { HeaderLookup } from "../../request/handler.ts";
import type { RequestHeaderConfig } from "../contract/authentication-config.ts";
import { extraKey } from "../contract/extra-key.ts";

/** The user that the headers name; undefined without a name. */
export function userOf(headers: HeaderLookup, proxy: RequestHeaderConfig): UserInfo | undefined {
  const name = firstValue(headers, proxy.usernameHeaders);
  if (name === "") return undefined;
  return {
    name,
    uid: firstValue(headers, proxy.uidHeaders),
    groups: proxy.groupHeaders.flatMap((header) => headers.getAll(header).filter((value) => value !== "")),
    extra: extraOf(headers, proxy.extraHeaderPrefixes),
  };
}

/** The first value of the first header that has one. */
function firstValue(headers: HeaderLookup, names: readonly string[]): string {
  for (const name of names) {
    const value = headers.get(name) ?? "";
    if (value !== "") return value;
  }
  return "";
}

function extraOf(headers: HeaderLookup, prefixes: readonly string[]): UserInfo["extra"] {
  const extra: Record<string, string[]> = Object.create(null);
  for (const prefix of prefixes) {
    for (const [header, value] of headers.startingWith(prefix.toLowerCase())) {
      const key = extraKey(header.slice(prefix.length));
      const known = extra[key];
      if (known === undefined) extra[key] = [value];
      else known.push(value);
    }
  }
  return extra;
}
