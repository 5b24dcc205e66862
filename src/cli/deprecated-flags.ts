import { type Release, sinceOf } from "../apimachinery/release.ts";
import { klogFlags } from "./flag-lives.ts";
import type { ParsedFlags } from "./flag-set.ts";
import { releaseOf } from "./kube-apiserver-flags.ts";

/** When kube-apiserver calls a flag deprecated, and what it says about it. */
interface Deprecation {
  readonly message: string;
  /** The first release that says so. Default: the oldest one. */
  readonly since?: Release;
  /** The first release that says something else, or nothing. */
  readonly until?: Release;
}

const insecure = "This flag has no effect now and will be removed in v1.24.";
const removedSoon = "This flag will be removed in a future version.";
const klog =
  "will be removed in a future release, see https://github.com/kubernetes/enhancements/tree/master/keps/sig-instrumentation/2845-deprecate-klog-specific-flags-in-k8s-components";

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
  [
    "address",
    [
      { message: "see --bind-address instead.", until: "1.20" },
      { message: insecure, since: "1.20" },
    ],
  ],
  [
    "cloud-provider-gce-lb-src-cidrs",
    [
      {
        message: "This flag will be removed once the GCE Cloud Provider is removed from kube-apiserver",
        since: "1.20",
      },
    ],
  ],
  [
    "deserialization-cache-size",
    [{ message: "the deserialization cache was dropped in 1.13 with support for etcd2" }],
  ],
  ["enable-swagger-ui", [{ message: "swagger 1.2 support has been removed" }]],
  ["experimental-encryption-provider-config", [{ message: "use --encryption-provider-config." }]],
  ...["insecure-bind-address", "insecure-port"].map((name): [string, readonly Deprecation[]] => [
    name,
    [
      { message: removedSoon, until: "1.20" },
      { message: insecure, since: "1.20" },
    ],
  ]),
  ...klogFlags.map((name): [string, readonly Deprecation[]] => [name, [{ message: klog, since: "1.23" }]]),
  [
    "kubelet-https",
    [
      {
        message: "API Server connections to kubelets always use https. This flag will be removed in 1.22.",
        since: "1.19",
      },
    ],
  ],
  ["master-service-namespace", [{ message: "This flag will be removed in v1.27", since: "1.26" }]],
  ["service-account-api-audiences", [{ message: "Use --api-audiences" }]],
  ["ssh-keyfile", [{ message: removedSoon }]],
  ["ssh-user", [{ message: removedSoon }]],
  ["target-ram-mb", [{ message: "This flag will be removed in v1.23", since: "1.19" }]],
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
  const reached = sinceOf(releaseOf({ values }));
  return [...values].flatMap(([name, given]) => {
    const current = deprecatedFlags
      .get(name)
      ?.find(({ since, until }) => (since === undefined || reached(since)) && !(until && reached(until)));
    return current === undefined
      ? []
      : given.map(() => `Flag --${name} has been deprecated, ${current.message}`);
  });
}
