/** Says which target of the cluster a URL means, if it is one of the cluster's. */
export type TargetLookup = (url: string) => string | undefined;

/**
 * The targets below the URL under which clients know the cluster: an origin, or an origin and a path when the cluster
 * stands behind a proxy. Both it and the URLs looked up must be absolute, as the web writes them.
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
