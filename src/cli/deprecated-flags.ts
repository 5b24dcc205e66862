import type { ParsedFlags } from "./flag-set.ts";

/** The deprecated flags of kube-apiserver 1.32, and what it says about each (calls of pflag's MarkDeprecated in its options). */
export const deprecatedFlags: ReadonlyMap<string, string> = new Map([
  [
    "admission-control",
    "Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.",
  ],
  ["apiserver-count", "apiserver-count is deprecated and will be removed in a future version."],
  ["audit-webhook-batch-initial-backoff", "Deprecated, use --audit-webhook-initial-backoff instead."],
  ["cloud-config", "will be removed in a future version"],
  ["cloud-provider", "will be removed in a future version"],
  [
    "default-watch-cache-size",
    "watch caches are sized automatically and this flag will be removed in a future version",
  ],
  ["enable-logs-handler", "This flag will be removed in v1.33"],
  ["kubelet-port", "kubelet-port is deprecated and will be removed."],
  ["kubelet-read-only-port", "kubelet-read-only-port is deprecated and will be removed."],
]);

/** What pflag writes about deprecated flags: a line each time that one is given. */
export function deprecationLines({ values }: Pick<ParsedFlags, "values">): readonly string[] {
  return [...values].flatMap(([name, given]) => {
    const message = deprecatedFlags.get(name);
    return message === undefined ? [] : given.map(() => `Flag --${name} has been deprecated, ${message}`);
  });
}
