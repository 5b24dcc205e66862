import { describe, expect, test } from "vitest";
import { type Release, releases } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { healthChecksOf } from "./health-checks.ts";
import { healthCheckPaths } from "./listed-paths.ts";

function namesOf(release: Release, gates: readonly (readonly [string, boolean])[] = []): readonly string[] {
  return healthChecksOf(featureGates(release, new Map(gates))).map(({ name }) =>
    name.replace("poststarthook/", "+"),
  );
}

/** The names in the release that are not in the one before, and the other way round. */
function changes(before: Release, release: Release) {
  const [old, now] = [namesOf(before), namesOf(release)];
  return {
    added: now.filter((name) => !old.includes(name)),
    removed: old.filter((name) => !now.includes(name)),
  };
}

describe("the health checks of a release", () => {
  test("are those of a server of 1.18, besides the ones of readiness", () => {
    expect(namesOf("1.18")).toEqual([
      "ping",
      "log",
      "etcd",
      "+start-kube-apiserver-admission-initializer",
      "+generic-apiserver-start-informers",
      "+start-apiextensions-informers",
      "+start-apiextensions-controllers",
      "+crd-informer-synced",
      "+bootstrap-controller",
      "+rbac/bootstrap-roles",
      "+scheduling/bootstrap-system-priority-classes",
      "+start-cluster-authentication-info-controller",
      "+start-kube-aggregator-informers",
      "+apiservice-registration-controller",
      "+apiservice-status-available-controller",
      "+kube-apiserver-autoregistration",
      "autoregister-completion",
      "+apiservice-openapi-controller",
      "shutdown",
    ]);
  });

  test("have another order in 1.28 and since 1.31", () => {
    const hooks = ["+rbac/bootstrap-roles", "+start-system-namespaces-controller", "+bootstrap-controller"];
    const orderIn = (release: Release) => namesOf(release).filter((name) => hooks.includes(name));
    const [roles, namespaces, bootstrap] = hooks;
    expect(orderIn("1.27")).toEqual([namespaces, bootstrap, roles]);
    for (const release of ["1.28", "1.29", "1.30"] as const)
      expect(orderIn(release)).toEqual([roles, namespaces, bootstrap]);
    for (const release of ["1.31", "1.32", "1.36"] as const)
      expect(orderIn(release)).toEqual([namespaces, roles, bootstrap]);
  });

  test.each<[Release, Release, { added?: readonly string[]; removed?: readonly string[] }]>([
    [
      "1.16",
      "1.17",
      { added: ["+start-cluster-authentication-info-controller"], removed: ["+ca-registration"] },
    ],
    ["1.18", "1.19", { added: ["informer-sync"] }],
    [
      "1.25",
      "1.26",
      {
        added: [
          "+start-kube-apiserver-identity-lease-controller",
          "+start-kube-apiserver-identity-lease-garbage-collector",
          "+start-legacy-token-tracking-controller",
        ],
      },
    ],
    [
      "1.29",
      "1.30",
      {
        added: ["+start-apiserver-admission-initializer"],
        removed: ["+start-kube-apiserver-admission-initializer"],
      },
    ],
    ["1.32", "1.33", { added: ["+start-kubernetes-service-cidr-controller"] }],
    ["1.34", "1.35", {}],
    ["1.35", "1.36", { added: ["+peer-endpoint-reconciler-controller", "+storage-readiness"] }],
  ])("from %s to %s", (before, release, { added = [], removed = [] }) => {
    expect(changes(before, release)).toEqual({ added, removed });
  });

  test.each<[string, Release, readonly string[]]>([
    [
      "APIServerIdentity",
      "1.25",
      [
        "+start-kube-apiserver-identity-lease-controller",
        "+start-kube-apiserver-identity-lease-garbage-collector",
      ],
    ],
    ["MultiCIDRServiceAllocator", "1.32", ["+start-kubernetes-service-cidr-controller"]],
    ["OpenAPIV3", "1.23", ["+apiservice-openapiv3-controller"]],
    ["AggregatedDiscoveryEndpoint", "1.26", ["+apiservice-discovery-controller"]],
    ["WatchCacheInitializationPostStartHook", "1.35", ["+storage-readiness"]],
  ])("follow the gate %s of %s", (gate, release, expected) => {
    const without = namesOf(release, [[gate, false]]);
    const more = namesOf(release, [[gate, true]]).filter((name) => !without.includes(name));
    expect(more).toEqual(expected);
  });

  test.each(releases)("have names of %s, each once, and a path in each endpoint", (release) => {
    const names = namesOf(release);
    expect(new Set(names).size).toBe(names.length);
    const paths = healthCheckPaths(featureGates(release));
    expect(paths).toContain("/readyz/shutdown");
    expect(paths).not.toContain("/livez/shutdown");
    expect(paths).toContain("/healthz/poststarthook/rbac/bootstrap-roles");
  });
});
