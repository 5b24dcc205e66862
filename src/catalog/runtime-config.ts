import type { GroupVersion, GroupVersionResource } from "../apimachinery/group-version.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { type Release, type Since, sinceOf } from "../apimachinery/release.ts";

/** Whether a runtime configuration enables a resource; undefined if it does not mention it. */
export type Enablement = (gvr: GroupVersionResource) => boolean | undefined;

/** A key for many versions, and the release that brought it. */
type Matcher = readonly [key: string, matches: (version: string) => boolean, first: Release];

/** In the order in which they apply. */
const matchers: readonly Matcher[] = [
  ["api/all", () => true, "1.16"],
  ["api/ga", (version) => /^v\d+$/.test(version), "1.17"],
  ["api/beta", (version) => /^v\d+beta\d+$/.test(version), "1.17"],
  ["api/alpha", (version) => /^v\d+alpha\d+$/.test(version), "1.17"],
];

const isMatcher = (key: string, since: Since = () => true): boolean =>
  matchers.some(([name, , first]) => name === key && since(first));

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((text) => [text, false] as const),
]);

/**
 * Parses the values of `--runtime-config`: comma-separated lists of `key[=value]`, of which later entries win. A key without
 * a value is enabled.
 * @throws {Error} the error with which kube-apiserver would not start
 */
export function parseRuntimeConfig(flags: readonly string[]): ReadonlyMap<string, boolean> {
  const config = new Map<string, boolean>();
  for (const pair of flags.join(",").split(",")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const key = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    const value = equals < 0 ? "" : pair.slice(equals + 1).trim();
    config.set(key, parseValue(key, value));
  }
  return config;
}

function parseValue(key: string, value: string): boolean {
  if (isMatcher(key)) {
    if (value !== "true" && value !== "false") throw new Error(`invalid value ${key}=${value}`);
    return value === "true";
  }
  if (value === "") return true;
  const parsed = booleans.get(value);
  if (parsed !== undefined) return parsed;
  throw new Error(
    `invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing "${value}": invalid syntax`,
  );
}

/**
 * Compiles a runtime configuration for the registered versions. A key for a resource takes precedence over one for its
 * version, which takes precedence over the keys for many versions. The version of the core group is written as `/v1`.
 * Upstream: apiserver, pkg/server/resourceconfig/helpers.go.
 */
export function enablement(
  config: ReadonlyMap<string, boolean>,
  registered: readonly GroupVersion[],
  release: Release,
): Enablement {
  if (config.size === 0) return () => undefined;
  const since = sinceOf(release);
  check(config, registered, since);
  const ofMany = (version: string): boolean | undefined => {
    let answer: boolean | undefined;
    for (const [key, matches] of matchers) if (matches(version)) answer = config.get(key) ?? answer;
    return answer;
  };
  if (!since("1.24")) return (gvr) => enabledBefore24(config, gvr, ofMany(gvr.version));
  return ({ group, version, resource }) => {
    const gv = `${group}/${version}`;
    return config.get(`${gv}/${resource}`) ?? config.get(gv) ?? ofMany(version);
  };
}

/** The only version of which single resources can be enabled before 1.24. */
const dividedVersion = "extensions/v1beta1";

/** A resource that is enabled by itself enables its version, and one that is disabled by default is not enabled by its version. */
function enabledBefore24(
  config: ReadonlyMap<string, boolean>,
  { group, version, resource }: GroupVersionResource,
  ofMany: boolean | undefined,
): boolean | undefined {
  const gv = `${group}/${version}`;
  if (gv !== dividedVersion) return config.get(gv) ?? ofMany;
  const isBrought = [...config].some(([key, isOn]) => isOn && key.startsWith(`${gv}/`));
  const ofVersion = isBrought || (config.get(gv) ?? ofMany);
  return ofVersion === false ? false : config.get(`${gv}/${resource}`);
}

/** Whether the release ignores a key for a resource. */
export function isIgnored(key: string, since: Since): boolean {
  return key.split("/").length === 3 && !since("1.24") && !key.startsWith(`${dividedVersion}/`);
}

function check(
  config: ReadonlyMap<string, boolean>,
  registered: readonly GroupVersion[],
  since: Since,
): void {
  if (config.size === 1 && config.get("api/all") === false) {
    throw new Error("invalid key with only api/all=false");
  }
  const keys = [...config.keys()]
    .filter((key) => !isMatcher(key, since))
    .map((key) => [key, key.split("/")] as const);
  const invalid = keys.find(([, tokens]) => tokens.length !== 2 && tokens.length !== 3);
  if (invalid !== undefined) throw new Error(`runtime-config invalid key ${invalid[0]}`);
  const groups = new Set(registered.map(({ group }) => group));
  const unknown = keys.map(([, [group = ""]]) => group).filter((group) => !groups.has(group));
  if (unknown.length > 0) throw new Error(`unknown api groups ${unknown.join(",")}`);
  const versions = new Set(registered.map(formatGroupVersion));
  for (const [key, [group = "", version = "", resource = ""]] of keys) {
    if (isIgnored(key, since)) continue;
    const gv = formatGroupVersion({ group, version });
    if (!versions.has(gv)) throw new Error(`group version ${gv} that has not been registered`);
    if (!since("1.24") || resource.toLowerCase() === resource) continue;
    throw new Error(
      `invalid key ${key}: group/version/resource and resource is always lowercase plural, not "${resource}"`,
    );
  }
}
