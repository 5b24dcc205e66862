import { parseRelease, type Release, sinceOf } from "../apimachinery/release.ts";
import { defaultRelease } from "../cluster/options.ts";
import { FlagError } from "./flag-error.ts";
import { flagLives } from "./flag-lives.ts";
import { type Flag, type ParsedFlags, parseFlags } from "./flag-set.ts";
import type { FlagType } from "./flag-types.ts";
import text from "./kube-apiserver-flags.json?raw";

/** Every flag of kube-apiserver of any release, including hidden and deprecated ones. */
function kubeApiserverFlags(): Flag[] {
  // Our own data file: flag name to type.
  const types = JSON.parse(text) as { readonly [name: string]: FlagType };
  return Object.entries(types).map(([name, type]) =>
    name === "v" ? { name, type, shorthand: "v" } : { name, type },
  );
}

/**
 * Reads a command line with `own` flags and those of the kube-apiserver of `--release`.
 * @throws {FlagError} with pflag's messages, also for a flag that the release does not have
 */
export function parseReleaseFlags(own: readonly Flag[], args: readonly string[]): ParsedFlags {
  const parsed = parseFlags([...own, ...kubeApiserverFlags()], args);
  const release = releaseOf(parsed);
  for (const name of parsed.values.keys()) {
    const { since, until } = flagLives.get(name) ?? {};
    const reached = sinceOf(release);
    if (since !== undefined && !reached(since))
      throw new FlagError(`unknown flag: --${name}; kube-apiserver has it since ${since}`);
    if (until !== undefined && reached(until))
      throw new FlagError(`unknown flag: --${name}; ${until} removed it from kube-apiserver`);
  }
  checkInsecurePort(parsed, release);
  return parsed;
}

/** The releases that accept the port of plain HTTP without an effect (kubernetes, cmd/kube-apiserver/app/server.go). */
function checkInsecurePort({ values }: ParsedFlags, release: Release): void {
  const port = Number(values.get("insecure-port")?.at(-1) ?? 0);
  if (port !== 0 && sinceOf(release)("1.20"))
    throw new FlagError(`invalid port value ${port}: only zero is allowed`);
}

/** The release of `--release`, which is refused when the server starts if it does not exist. */
export function releaseOf({ values }: Pick<ParsedFlags, "values">): Release {
  try {
    return parseRelease(values.get("release")?.at(-1) ?? defaultRelease);
  } catch {
    return defaultRelease;
  }
}
