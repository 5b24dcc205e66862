import { structAt } from "../apimachinery/fields.ts";
import { sinceOf } from "../apimachinery/release.ts";
import type { BootstrapOptions, Seed } from "./bootstrap.ts";
import { hostHashOf, hostOf, leases, uuidOf } from "./server-identity.ts";

const hostnameLabel = "kubernetes.io/hostname";
const leasePrefix = /^(kube-)?apiserver-/;

/**
 * The seeds of a server beside others: it has a Lease of its own, which identifies it. Upstream: kubernetes,
 * pkg/controlplane/apiserver/server.go.
 */
export function ownSeeds(
  wanted: readonly Seed[],
  {
    server,
    identifiers,
    catalog,
  }: Pick<BootstrapOptions, "catalog" | "identifiers"> & { readonly server: number },
): readonly Seed[] {
  if (server === 1) return wanted;
  const isHashed = sinceOf(catalog.release)("1.26");
  return wanted.map((seed) => {
    const { object } = seed;
    const { name = "", labels } = object.metadata;
    const [prefix] = leasePrefix.exec(name) ?? [];
    if (seed.resource !== leases.resource || prefix === undefined) return seed;
    const own = prefix + (isHashed ? hostHashOf(server) : uuidOf(hostOf(server)));
    const metadata = {
      ...object.metadata,
      name: own,
      labels: { ...labels, ...(isHashed && { [hostnameLabel]: hostOf(server) }) },
    };
    const spec = {
      ...structAt(object, "spec"),
      holderIdentity: isHashed ? `${own}_${identifiers.uid()}` : own,
    };
    return { ...seed, object: { ...object, metadata, spec } };
  });
}
