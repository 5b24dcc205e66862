import type { Release } from "../../apimachinery/release.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

/** A check of `/healthz`, `/livez` and `/readyz`. */
export interface HealthCheck {
  readonly name: string;
  /** Whether the check belongs to `/readyz` alone. */
  readonly readyOnly: boolean;
}

/**
 * The checks of all releases in the order of the verbose answer: a name, where `+` stands for `poststarthook/`; then the first release that
 * has the check in this place and the first that does not (1.0 and 1.99 if there is none); then the gate that it needs. As servers of 1.18, 1.23, 1.25, 1.26, 1.27, 1.28, 1.29,
 * 1.30, 1.32, 1.33, 1.35 and 1.36 answer.
 */
const table = `
ping
log
etcd
etcd-readiness 1.24
informer-sync 1.19
+start-kube-apiserver-admission-initializer 1.0 1.30
+start-apiserver-admission-initializer 1.30
+generic-apiserver-start-informers
+priority-and-fairness-config-consumer 1.0 1.99 APIPriorityAndFairness
+priority-and-fairness-filter 1.0 1.99 APIPriorityAndFairness
+storage-object-count-tracker-hook 1.24
+start-apiextensions-informers
+start-apiextensions-controllers
+crd-informer-synced
+start-service-ip-repair-controllers 1.28 1.31
+rbac/bootstrap-roles 1.28 1.31
+scheduling/bootstrap-system-priority-classes 1.28 1.31
+priority-and-fairness-config-producer 1.28 1.31
+start-system-namespaces-controller 1.27
+bootstrap-controller 1.0 1.31
+rbac/bootstrap-roles 1.0 1.28
+scheduling/bootstrap-system-priority-classes 1.0 1.28
+priority-and-fairness-config-producer 1.20 1.28
+ca-registration 1.0 1.17
+peer-endpoint-reconciler-controller 1.36
+start-cluster-authentication-info-controller 1.17
+start-kube-apiserver-identity-lease-controller 1.20 1.99 APIServerIdentity
+start-deprecated-kube-apiserver-identity-lease-garbage-collector 1.27 1.28 APIServerIdentity
+start-kube-apiserver-identity-lease-garbage-collector 1.20 1.99 APIServerIdentity
+storage-readiness 1.31 1.99 WatchCacheInitializationPostStartHook
+start-legacy-token-tracking-controller 1.26
+start-service-ip-repair-controllers 1.31
+rbac/bootstrap-roles 1.31
+scheduling/bootstrap-system-priority-classes 1.31
+priority-and-fairness-config-producer 1.31
+bootstrap-controller 1.31
+start-kubernetes-service-cidr-controller 1.31 1.99 MultiCIDRServiceAllocator
+start-kube-aggregator-informers
+apiservice-status-local-available-controller 1.31
+apiservice-status-remote-available-controller 1.31
+apiservice-registration-controller
+apiservice-status-available-controller 1.0 1.31
+apiservice-discovery-controller 1.30
+kube-apiserver-autoregistration
autoregister-completion
+apiservice-openapi-controller
+apiservice-openapiv3-controller 1.23 1.99 OpenAPIV3
+apiservice-discovery-controller 1.26 1.30 AggregatedDiscoveryEndpoint
shutdown
`;
const readyOnly: ReadonlySet<string> = new Set(["etcd-readiness", "informer-sync", "shutdown"]);

/** The checks of a server, in the order of the verbose answer. */
export function healthChecksOf({ since, isEnabled }: FeatureGates): readonly HealthCheck[] {
  return table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [name = "", first = "1.0", end = "1.99", gate] = line.replace("+", "poststarthook/").split(" ");
      // The releases are our own data.
      const isReached = (release: string) => since(release as Release);
      if (!isReached(first) || isReached(end) || (gate !== undefined && !isEnabled(gate))) return [];
      return { name, readyOnly: readyOnly.has(name) };
    });
}
