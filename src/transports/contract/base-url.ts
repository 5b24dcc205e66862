/** Returns the request target of a URL, or undefined for URLs of other servers. */
export type TargetLookup = (url: string) => string | undefined;

/**
 * Resolves targets below the cluster's base URL: an origin, or an origin and a path if clients reach the cluster through
 * a proxy. The base URL and the URLs to resolve must be absolute and normalized, as `URL.href` is.
 */
export function targetsBelow(base: string): TargetLookup {
  const { origin, pathname } = new URL(base);
  const prefix = origin + pathname.replace(/\/$/, "");
  return (url) => {
    if (!url.startsWith(prefix)) return undefined;
    const fragment = url.indexOf("#");
    const target = fragment === -1 ? url.slice(prefix.length) : url.slice(prefix.length, fragment);
    if (target.startsWith("/")) return target;
    return target === "" || target.startsWith("?") ? `/${target}` : undefined;
  };
}
