import { sinceOf } from "../apimachinery/release.ts";
import { type FlagLife, klogFlags } from "./flag-lives.ts";
import type { ParsedFlags } from "./flag-set.ts";
import { releaseOf } from "./kube-apiserver-flags.ts";

/** What kube-apiserver says about a deprecated flag, in the releases that say so. */
interface Deprecation extends FlagLife {
  readonly message: string;
}

const insecure = "This flag has no effect now and will be removed in v1.24.";
const removedSoon = "This flag will be removed in a future version.";
const klog =
  "will be removed in a future release, see https://github.com/kubernetes/enhancements/tree/master/keps/sig-instrumentation/2845-deprecate-klog-specific-flags-in-k8s-components";

const says = (message: string, life: FlagLife = {}): Deprecation => ({ message, ...life });

/** The deprecated flags of kube-apiserver: calls of pflag's MarkDeprecated in its options. */
const deprecatedFlags: ReadonlyMap<string, readonly Deprecation[]> = new Map<string, readonly Deprecation[]>([
  ["address", [says("see --bind-address instead.", { until: "1.20" }), says(insecure, { since: "1.20" })]],
  [
    "admission-control",
    [
      says(
        "Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.",
      ),
    ],
  ],
  [
    "apiserver-count",
    [says("apiserver-count is deprecated and will be removed in a future version.", { since: "1.24" })],
  ],
  ["audit-webhook-batch-initial-backoff", [says("Deprecated, use --audit-webhook-initial-backoff instead.")]],
  [
    "basic-auth-file",
    [
      says(
        "Basic authentication mode is deprecated and will be removed in a future release. It is not recommended for production environments.",
      ),
    ],
  ],
  ["cloud-config", [says("will be removed in a future version", { since: "1.29" })]],
  ["cloud-provider", [says("will be removed in a future version", { since: "1.29" })]],
  [
    "cloud-provider-gce-lb-src-cidrs",
    [says("This flag will be removed once the GCE Cloud Provider is removed from kube-apiserver")],
  ],
  [
    "default-watch-cache-size",
    [
      says("watch caches are sized automatically and this flag will be removed in a future version", {
        since: "1.25",
      }),
    ],
  ],
  [
    "deserialization-cache-size",
    [says("the deserialization cache was dropped in 1.13 with support for etcd2")],
  ],
  [
    "enable-logs-handler",
    [
      says("This flag will be removed in v1.19", { until: "1.31" }),
      says("This flag will be removed in v1.33", { since: "1.31", until: "1.33" }),
      says("Log handler functionality is deprecated", { since: "1.33" }),
    ],
  ],
  ["enable-swagger-ui", [says("swagger 1.2 support has been removed")]],
  ["experimental-encryption-provider-config", [says("use --encryption-provider-config.")]],
  ["insecure-bind-address", [says(removedSoon, { until: "1.20" }), says(insecure, { since: "1.20" })]],
  ["insecure-port", [says(removedSoon, { until: "1.20" }), says(insecure, { since: "1.20" })]],
  [
    "kubelet-https",
    [
      says("API Server connections to kubelets always use https. This flag will be removed in 1.22.", {
        since: "1.19",
      }),
    ],
  ],
  ["kubelet-port", [says("kubelet-port is deprecated and will be removed.")]],
  ["kubelet-read-only-port", [says("kubelet-read-only-port is deprecated and will be removed.")]],
  ["master-service-namespace", [says("This flag will be removed in v1.27", { since: "1.26" })]],
  ["service-account-api-audiences", [says("Use --api-audiences")]],
  ["ssh-keyfile", [says(removedSoon)]],
  ["ssh-user", [says(removedSoon)]],
  ["target-ram-mb", [says("This flag will be removed in v1.23", { since: "1.19" })]],
  ...klogFlags.map((name) => [name, [says(klog, { since: "1.23" })]] as const),
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
