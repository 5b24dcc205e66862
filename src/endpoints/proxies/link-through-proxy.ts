import { parseGoUrl } from "../../apimachinery/go/go-url.ts";

/** Where a page or a redirect comes from. */
export interface LinkSource {
  /** The path of the proxy, without a slash at its end. */
  readonly prefix: string;
  /** The host and port of the proxied server. */
  readonly host: string;
  /** The host that the client requested. */
  readonly requestedHost: string;
}

/**
 * A link of a proxied server as the client reaches it: one with an absolute path on the same host leads through the proxy, any other stays.
 * Upstream: apimachinery, pkg/util/proxy/transport.go, rewriteURL. Go escapes a path again, and removes `..` and doubled slashes.
 */
export function linkThroughProxy(link: string, { prefix, host, requestedHost }: LinkSource): string {
  const url = parsed(link);
  if (url === undefined || !url.path.startsWith("/")) return link;
  if (url.host !== "" && url.host !== host && url.host !== requestedHost) return link;
  const isOnRequestedHost = url.host !== "" && url.host === requestedHost;
  const origin = isOnRequestedHost ? `${url.scheme === "" ? "" : `${url.scheme}:`}//${url.host}` : "";
  const query = url.query === "" ? "" : `?${url.query}`;
  const fragment = url.fragment === "" ? "" : `#${url.fragment}`;
  return `${origin}${pathThroughProxy(url.path, prefix)}${query}${fragment}`;
}

function parsed(link: string): ReturnType<typeof parseGoUrl> | undefined {
  try {
    return parseGoUrl(link);
  } catch {
    return undefined;
  }
}

function pathThroughProxy(path: string, escapedPrefix: string): string {
  const plain = unescaped(path);
  const prefix = unescaped(escapedPrefix) ?? escapedPrefix;
  if (plain === undefined || plain.startsWith(prefix)) return path;
  const end = plain.endsWith("/") ? "/" : "";
  return escaped(`${prefix}${cleaned(plain)}`) + end;
}

/** The path without its escapes; undefined if it is not UTF-8. */
function unescaped(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Go's `path.Clean` of an absolute path, without a slash at its end. */
function cleaned(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return kept.map((segment) => `/${segment}`).join("");
}

/** Go's escapes of a path. */
function escaped(path: string): string {
  return encodeURIComponent(path)
    .replace(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
