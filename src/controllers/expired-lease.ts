import type { Clock } from "../apimachinery/clock.ts";
import { isNotFound } from "../apimachinery/errors/error-predicates.ts";
import { structAt, textAt } from "../apimachinery/fields.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Since } from "../apimachinery/release.ts";
import type { ControllerClient } from "./contract/controller.ts";
import { isIdentityLease } from "./identity-lease.ts";

const leases = { group: "coordination.k8s.io", resource: "leases" };
const namespace = "kube-system";

/** How often a server looks for Leases that have expired, in milliseconds. */
const period = 60 * 60 * 1000;

/** What the collector of identity Leases works with. */
export interface LeaseEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly clock: Pick<Clock, "now">;
  /** Whether a server with this Lease is running: it would renew the Lease every ten seconds. */
  readonly isServing: (lease: string) => boolean;
  readonly since: Since;
}

/** Deletes a Lease once it has expired, or returns the milliseconds until the server looks again. It looks every hour since `start`. */
export async function collectLease(
  name: string,
  start: number,
  { lister, client, clock, since }: LeaseEnvironment,
): Promise<number | undefined> {
  const lease = lister.get(leases, namespace, name);
  if (lease === undefined || !isIdentityLease(lease, since)) return undefined;
  const left = nextLook(start, endOf(lease)) - clock.now();
  if (left > 0) return left;
  try {
    const { uid = "" } = lease.metadata;
    await client.delete(lease.apiVersion, "Lease", name, { namespace, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

/** When a Lease expires. One without a time or a duration has expired. */
function endOf(lease: KubeObject): number {
  const renewed = Date.parse(textAt(lease, "spec", "renewTime"));
  const { leaseDurationSeconds: seconds } = structAt(lease, "spec");
  return Number.isNaN(renewed) || typeof seconds !== "number"
    ? Number.NEGATIVE_INFINITY
    : renewed + seconds * 1000;
}

/** The first look after a time. */
function nextLook(start: number, end: number): number {
  return start + Math.max(1, Math.floor((end - start) / period) + 1) * period;
}
