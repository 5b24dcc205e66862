import type { Clock } from "../apimachinery/clock.ts";
import { isNotFound } from "../apimachinery/errors/error-predicates.ts";
import { listAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Since } from "../apimachinery/release.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";
import { isIdentityLease } from "./identity-lease.ts";
import { storageVersionStatus } from "./storage-version-status.ts";

const storageVersions = { group: "internal.apiserver.k8s.io", resource: "storageversions" };
const leases = { group: "coordination.k8s.io", resource: "leases" };

/** What the collector of storage versions works with. */
export interface StorageVersionEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly clock: Pick<Clock, "now">;
  readonly since: Since;
}

/**
 * Removes from a StorageVersion what servers without a Lease store, and deletes one that no server is left in. Upstream:
 * pkg/controller/storageversiongc.
 */
export function collectStorageVersions({
  lister,
  client,
  clock,
  since,
}: StorageVersionEnvironment): Controller["reconcile"] {
  const isKnown = ({ apiServerID }: JsonObject): boolean => {
    const lease = lister.get(leases, "kube-system", String(apiServerID));
    return lease !== undefined && isIdentityLease(lease, since);
  };
  return async (name) => {
    const found = lister.get(storageVersions, "", name);
    if (found === undefined) return;
    const servers = listAt(found, "status", "storageVersions");
    const left = servers.filter(isKnown);
    if (left.length === servers.length) return;
    try {
      if (left.length > 0) await writeStatus(found, left);
      else await client.delete(found.apiVersion, "StorageVersion", name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };

  async function writeStatus(found: KubeObject, left: readonly JsonObject[]): Promise<void> {
    const status = storageVersionStatus(left, found, clock.now());
    await client.update({ ...found, status }, { subresource: "status" });
  }
}
