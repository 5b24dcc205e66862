import type { Lister } from "../apimachinery/lister.ts";
import type { Since } from "../apimachinery/release.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { Controller } from "./contract/controller.ts";
import type { LeaseEnvironment } from "./expired-lease.ts";
import { isIdentityLease } from "./identity-lease.ts";

const storageVersions = { group: "internal.apiserver.k8s.io", resource: "storageversions" };

/**
 * Deletes the Leases of servers that are gone, every hour since its start those that have expired. Upstream: kubernetes,
 * pkg/controlplane/controller/apiserverleasegc.
 */
export function identityLeaseCollector(
  environment: LeaseEnvironment & { readonly gates: FeatureGates },
): Controller {
  const { clock, gates, isServing, since } = environment;
  const start = clock.now();
  return {
    name: "kube-apiserver-identity-lease-garbage-collector",
    kinds: ["Lease"],
    observe: ({ type, object }) =>
      type === "put" && gates.isEnabled("APIServerIdentity") && isIdentityLease(object, since)
        ? [object.metadata.name ?? ""]
        : [],
    reconcile: async (name) => {
      // Few clusters have Leases of other servers.
      if (isServing(name)) return undefined;
      const { collectLease } = await import("./expired-lease.ts");
      return collectLease(name, start, environment);
    },
  };
}

/** The names of the StorageVersions that a change concerns: one that was written, or all when a server's Lease is deleted. */
export function concernedStorageVersions(lister: Lister, since: Since): Controller["observe"] {
  return ({ type, object }) => {
    if (type === "put") return object.kind === "StorageVersion" ? [object.metadata.name ?? ""] : [];
    if (!isIdentityLease(object, since)) return [];
    return lister.list(storageVersions, "").map(({ metadata }) => metadata.name ?? "");
  };
}
