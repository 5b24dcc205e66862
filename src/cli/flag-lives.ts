import type { Release } from "../apimachinery/release.ts";

/** The releases of kube-apiserver that have a flag. */
export interface FlagLife {
  /** The first release with the flag. Default: the oldest one. */
  readonly since?: Release;
  /** The first release without the flag. Default: no release. */
  readonly until?: Release;
}

const all = (life: FlagLife, ...names: readonly string[]): readonly (readonly [string, FlagLife])[] =>
  names.map((name) => [name, life]);

/** The flags that klog brought, which later releases accept no more. */
export const klogFlags: readonly string[] = [
  "add-dir-header",
  "alsologtostderr",
  "log-backtrace-at",
  "log-dir",
  "log-file",
  "log-file-max-size",
  "logtostderr",
  "one-output",
  "skip-headers",
  "skip-log-headers",
  "stderrthreshold",
];

/** The flags that not all releases have, in the newest patch of each release. Upstream: the options packages of kube-apiserver and apiserver. */
export const flagLives: ReadonlyMap<string, FlagLife> = new Map<string, FlagLife>([
  ...all({ since: "1.17" }, "authentication-token-webhook-version", "authorization-webhook-version"),
  ...all({ since: "1.17" }, "show-hidden-metrics-for-version"),
  ...all({ since: "1.18" }, "enable-priority-and-fairness", "goaway-chance", "lease-reuse-duration-seconds"),
  ...all({ since: "1.18" }, "service-account-jwks-uri"),
  ...all({ since: "1.19" }, "etcd-db-metric-poll-interval", "logging-format", "permit-port-sharing"),
  ...all({ since: "1.20" }, "audit-log-compress", "etcd-healthcheck-timeout"),
  ...all({ since: "1.20" }, "service-account-extend-token-expiration"),
  ...all({ since: "1.21" }, "allow-metric-labels", "disabled-metrics", "permit-address-sharing"),
  ...all({ since: "1.21" }, "strict-transport-security-directives"),
  ...all({ since: "1.22" }, "aggregator-reject-forwarding-redirect", "tracing-config-file"),
  ...all({ since: "1.23" }, "log-json-info-buffer-size", "log-json-split-stream"),
  ...all({ since: "1.23" }, "shutdown-send-retry-after"),
  ...all({ since: "1.25" }, "etcd-readycheck-timeout"),
  ...all({ since: "1.26" }, "encryption-provider-config-automatic-reload"),
  ...all({ since: "1.27" }, "debug-socket-path", "shutdown-watch-termination-grace-period"),
  ...all(
    { since: "1.28" },
    "authentication-config",
    "peer-advertise-ip",
    "peer-advertise-port",
    "peer-ca-file",
  ),
  ...all({ since: "1.29" }, "allow-metric-labels-manifest", "authorization-config"),
  ...all({ since: "1.30" }, "log-text-info-buffer-size", "log-text-split-stream"),
  ...all({ since: "1.31" }, "disable-http2-serving", "emulated-version", "storage-initialization-timeout"),
  ...all({ since: "1.32" }, "requestheader-uid-headers", "service-account-signing-endpoint"),
  ...all({ since: "1.33" }, "emulation-forward-compatible", "runtime-config-emulation-forward-compatible"),
  ...all({ since: "1.34" }, "coordinated-leadership-lease-duration", "coordinated-leadership-renew-deadline"),
  ...all({ since: "1.34" }, "coordinated-leadership-retry-period"),
  ...all({ since: "1.35" }, "min-compatibility-version"),
  ...all({ since: "1.36" }, "tls-curve-preferences"),
  ...all({ until: "1.18" }, "enable-inflight-quota-handler"),
  ...all({ until: "1.19" }, "audit-dynamic-configuration", "basic-auth-file"),
  ...all({ until: "1.22" }, "kubelet-https", "ssh-keyfile", "ssh-user"),
  ...all({ until: "1.24" }, "address", "insecure-bind-address", "insecure-port"),
  ...all({ until: "1.24" }, "deserialization-cache-size", "enable-swagger-ui", "target-ram-mb"),
  ...all({ until: "1.24" }, "experimental-encryption-provider-config"),
  ...all({ since: "1.20", until: "1.24" }, "experimental-logging-sanitization"),
  ...all({ until: "1.25" }, "service-account-api-audiences"),
  ...all({ since: "1.20", until: "1.26" }, "identity-lease-duration-seconds"),
  ...all({ since: "1.20", until: "1.26" }, "identity-lease-renew-interval-seconds"),
  ...all({ until: "1.26" }, ...klogFlags),
  ...all({ until: "1.27" }, "master-service-namespace"),
  ...all({ until: "1.31" }, "cloud-provider-gce-l7lb-src-cidrs", "cloud-provider-gce-lb-src-cidrs"),
  ...all({ until: "1.33" }, "cloud-config", "cloud-provider"),
  ["one-output", { since: "1.19", until: "1.26" }],
]);
