import { structAt } from "../apimachinery/fields.ts";
import { sha256 } from "../apimachinery/sha.ts";
import { formatMicroTime } from "../apimachinery/time.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import type { BootstrapOptions, Seed } from "./bootstrap.ts";

const leases = { group: "coordination.k8s.io", resource: "leases" };
const hostnameLabel = "kubernetes.io/hostname";
const leasePrefix = /^(kube-)?apiserver-/;

/** The host of a server in a cluster. That of the first server is the one in the recorded Lease. */
function hostOf(server: number): string {
  return server === 1 ? "vm" : `vm-${server}`;
}

/**
 * The seeds of a server beside others: it has a Lease of its own, which identifies it. Upstream: kubernetes,
 * pkg/controlplane/apiserver/server.go.
 */
export function ownSeeds(
  wanted: readonly Seed[],
  {
    server,
    identifiers,
    clock,
  }: Pick<BootstrapOptions, "identifiers" | "clock"> & { readonly server: number },
): readonly Seed[] {
  if (server === 1) return wanted;
  return wanted.map((seed) => {
    const { object } = seed;
    const { name = "", labels } = object.metadata;
    const [prefix] = leasePrefix.exec(name) ?? [];
    if (seed.resource !== leases.resource || prefix === undefined) return seed;
    const own = prefix + hashOf(hostOf(server));
    const metadata = {
      ...object.metadata,
      name: own,
      labels: { ...labels, [hostnameLabel]: hostOf(server) },
    };
    const spec = {
      ...structAt(object, "spec"),
      holderIdentity: `${own}_${identifiers.uid()}`,
      renewTime: formatMicroTime(clock.now()),
    };
    return { ...seed, object: { ...object, metadata, spec } };
  });
}

/** The name of the Lease by which a server is known; another one if the release has no such Leases. */
export function identityOf(server: number, objects: StoredObjects): string {
  const host = hostOf(server);
  const lease = objects
    .list(leases, "kube-system")
    .find(
      ({ metadata: { name = "", labels } }) => leasePrefix.test(name) && labels?.[hostnameLabel] === host,
    );
  return lease?.metadata.name ?? `kube-apiserver-${hashOf(host)}`;
}

/** The first half of the SHA-256 of a text in base32 without padding, as upstream names the Leases. */
function hashOf(text: string): string {
  const digits = "abcdefghijklmnopqrstuvwxyz234567";
  let bits = 0n;
  for (const byte of sha256(text).subarray(0, 16)) bits = (bits << 8n) | BigInt(byte);
  // 128 bits are 25 digits of five bits, and one of the remaining three.
  bits <<= 2n;
  let result = "";
  for (let digit = 0; digit < 26; digit++) {
    result = digits.charAt(Number(bits & 31n)) + result;
    bits >>= 5n;
  }
  return result;
}
