import { parseRelease, type Release, sinceOf } from "../apimachinery/release.ts";
import { defaultRelease } from "../cluster/options.ts";
import type { ParsedFlags } from "./flag-set.ts";

/** When kube-apiserver calls a flag deprecated, and what it says about it. */
interface Deprecation {
  readonly message: string;
  /** The first release that says so. Default: the oldest one. */
  readonly since?: Release;
  /** The first release that says something else, or nothing. */
  readonly until?: Release;
}

/** The deprecated flags of kube-apiserver: calls of pflag's MarkDeprecated in its options. */
const deprecatedFlags: ReadonlyMap<string, readonly Deprecation[]> = new Map<string, readonly Deprecation[]>([
  [
    "admission-control",
    [
      {
        message:
          "Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.",
      },
    ],
  ],
  [
    "apiserver-count",
    [{ message: "apiserver-count is deprecated and will be removed in a future version.", since: "1.24" }],
  ],
  [
    "audit-webhook-batch-initial-backoff",
    [{ message: "Deprecated, use --audit-webhook-initial-backoff instead." }],
  ],
  ["cloud-config", [{ message: "will be removed in a future version", since: "1.29", until: "1.33" }]],
  ["cloud-provider", [{ message: "will be removed in a future version", since: "1.29", until: "1.33" }]],
  [
    "default-watch-cache-size",
    [
      {
        message: "watch caches are sized automatically and this flag will be removed in a future version",
        since: "1.25",
      },
    ],
  ],
  [
    "enable-logs-handler",
    [
      { message: "This flag will be removed in v1.19", until: "1.31" },
      { message: "This flag will be removed in v1.33", since: "1.31", until: "1.33" },
      { message: "Log handler functionality is deprecated", since: "1.33" },
    ],
  ],
  ["kubelet-port", [{ message: "kubelet-port is deprecated and will be removed." }]],
  ["kubelet-read-only-port", [{ message: "kubelet-read-only-port is deprecated and will be removed." }]],
]);

/** What pflag writes about flags that the release of `--release` deprecates: a line each time that one is given. */
export function deprecationLines({ values }: Pick<ParsedFlags, "values">): readonly string[] {
  const reached = sinceOf(releaseOf(values.get("release")?.at(-1)));
  return [...values].flatMap(([name, given]) => {
    const current = deprecatedFlags
      .get(name)
      ?.find(({ since, until }) => (since === undefined || reached(since)) && !(until && reached(until)));
    return current === undefined
      ? []
      : given.map(() => `Flag --${name} has been deprecated, ${current.message}`);
  });
}

/** A release that does not exist is refused when the server starts. */
function releaseOf(text: string = defaultRelease): Release {
  try {
    return parseRelease(text);
  } catch {
    return defaultRelease;
  }
}
