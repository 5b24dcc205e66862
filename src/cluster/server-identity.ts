import { structAt, textAt } from "../apimachinery/fields.ts";
import { type Release, sinceOf } from "../apimachinery/release.ts";
import { sha256 } from "../apimachinery/sha.ts";
import { formatMicroTime } from "../apimachinery/time.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import type { BootstrapOptions } from "./bootstrap.ts";

/** The resource of the Lease by which a server is known. */
export const leases = { group: "coordination.k8s.io", resource: "leases" };
/** How often a server renews its Lease, in milliseconds. */
const renewalPeriod = 10_000;

/** The host of a server in a cluster. That of the first server is the one in the recorded Lease. */
export function hostOf(server: number): string {
  return server === 1 ? "vm" : `vm-${server}`;
}

/** The name of the Lease by which a server is known. */
export function leaseNameOf(server: number, release: Release): string {
  const since = sinceOf(release);
  const own = since("1.26") ? hostHashOf(server) : uuidOf(hostOf(server));
  return `${since("1.27") ? "" : "kube-"}apiserver-${own}`;
}

/**
 * What a server does when it ends beside others: its Lease stays until it expires, as the server renewed it last. While the server runs,
 * the Lease has the time of its start, because renewals would change the storage every ten seconds.
 */
export function leave(
  { server, catalog, clock }: Pick<BootstrapOptions, "catalog" | "clock"> & { readonly server: number },
  objects: StoredObjects,
): void {
  if (server === 1) return;
  const lease = objects.get(leases, "kube-system", leaseNameOf(server, catalog.release));
  const renewed = Date.parse(textAt(lease ?? {}, "spec", "renewTime"));
  if (lease === undefined || Number.isNaN(renewed)) return;
  const renewals = Math.max(0, Math.floor((clock.now() - renewed) / renewalPeriod));
  const renewTime = formatMicroTime(renewed + renewals * renewalPeriod);
  objects.put(leases, { ...lease, spec: { ...structAt(lease, "spec"), renewTime } });
}

/** What identifies a host. That of the first server is recorded. */
export function hostHashOf(server: number): string {
  return server === 1 ? "wlv32tlttr4jl3gtroqexyxapa" : hashOf(hostOf(server));
}

/** What identifies a server until 1.25: upstream has another UUID at each start. */
export function uuidOf(host: string): string {
  const hex = Array.from(sha256(host).subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
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
