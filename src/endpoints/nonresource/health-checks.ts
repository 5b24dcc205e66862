/** A check of `/healthz`, `/livez` and `/readyz`. */
export interface HealthCheck {
  readonly name: string;
  /** Whether the check belongs to `/readyz` alone. */
  readonly readyOnly: boolean;
}

const readyOnly: ReadonlySet<string> = new Set(["etcd-readiness", "informer-sync", "shutdown"]);

const names: readonly string[] = [
  "ping",
  "log",
  "etcd",
  "etcd-readiness",
  "informer-sync",
  "poststarthook/start-apiserver-admission-initializer",
  "poststarthook/generic-apiserver-start-informers",
  "poststarthook/priority-and-fairness-config-consumer",
  "poststarthook/priority-and-fairness-filter",
  "poststarthook/storage-object-count-tracker-hook",
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  "poststarthook/start-system-namespaces-controller",
  "poststarthook/start-cluster-authentication-info-controller",
  "poststarthook/start-kube-apiserver-identity-lease-controller",
  "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
  "poststarthook/start-legacy-token-tracking-controller",
  "poststarthook/start-service-ip-repair-controllers",
  "poststarthook/rbac/bootstrap-roles",
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  "poststarthook/priority-and-fairness-config-producer",
  "poststarthook/bootstrap-controller",
  "poststarthook/start-kube-aggregator-informers",
  "poststarthook/apiservice-status-local-available-controller",
  "poststarthook/apiservice-status-remote-available-controller",
  "poststarthook/apiservice-registration-controller",
  "poststarthook/apiservice-discovery-controller",
  "poststarthook/kube-apiserver-autoregistration",
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
  "shutdown",
];

/** The checks of a default server, in the order of the verbose answer. */
export const healthChecks: readonly HealthCheck[] = names.map((name) => ({
  name,
  readyOnly: readyOnly.has(name),
}));

/** `/healthz`, `/livez`, `/readyz` and the path of every check below them. */
export const healthCheckPaths: readonly string[] = ["healthz", "livez", "readyz"].flatMap((endpoint) => [
  `/${endpoint}`,
  ...healthChecks
    .filter((check) => endpoint === "readyz" || !check.readyOnly)
    .map(({ name }) => `/${endpoint}/${name}`),
]);
