import { type Release, sinceOf } from "../apimachinery/release.ts";
import { isIgnored } from "../catalog/runtime-config.ts";

/** What a server says about keys without an effect when it starts. */
export function runtimeConfigWarnings(
  config: ReadonlyMap<string, boolean>,
  release: Release,
): readonly string[] {
  const ignored = [...config.keys()].filter((key) => isIgnored(key, sinceOf(release)));
  return ignored.map((key) => {
    const gv = key.slice(0, key.lastIndexOf("/"));
    return `ignoring invalid key ${key}, individual resource enablement/disablement is not supported in ${gv.replace(/^\//, "")}, and will prevent starting in future releases`;
  });
}
