import { goQuote } from "../apimachinery/go/go-quote.ts";
import { FlagError } from "./flag-error.ts";
import { parseStringSlice } from "./flag-types.ts";

const component = "kube";

/**
 * The release of `--emulated-version` or `--min-compatibility-version`, a list of `1.33` or `component=1.33`, of which only the component `kube` is served here;
 * undefined for an empty list. Upstream: component-base, compatibility/registry.go, `toVersionMap`.
 * @throws {FlagError} with upstream's text
 */
export function parseComponentVersion(values: readonly string[]): string | undefined {
  const versions = new Map<string, string>();
  for (const item of values.flatMap(parseStringSlice)) {
    const equals = item.indexOf("=");
    const name = equals < 0 ? component : item.slice(0, equals).trim();
    const version = parseVersion(equals < 0 ? item : item.slice(equals + 1).trim(), name);
    const other = versions.get(name);
    if (other !== undefined)
      throw new FlagError(`duplicate version flag, ${name}=${other} and ${name}=${version}`);
    versions.set(name, version);
  }
  for (const name of versions.keys()) {
    if (name !== component) throw new FlagError(`component not registered: ${name}`);
  }
  return versions.get(component);
}

/** Two numbers; a third must be 0 (apimachinery, pkg/util/version, `Parse`). */
function parseVersion(text: string, name: string): string {
  const [, major, minor, patch = "0"] = /^\s*v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?\s*$/.exec(text) ?? [];
  if (major === undefined || minor === undefined)
    throw new FlagError(`could not parse ${goQuote(text)} as version`);
  const version = `${Number(major)}.${Number(minor)}`;
  if (Number(patch) === 0) return version;
  throw new FlagError(`patch version not allowed, got: ${name}=${version}.${Number(patch)}`);
}
