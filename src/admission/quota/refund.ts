import { isConflict } from "../../apimachinery/errors/error-predicates.ts";
import { objectAt, structAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Amounts, amountsIn, negated, sumOf } from "../../kinds/quantities/resource-amounts.ts";

const resourceQuotas = { group: "", resource: "resourcequotas" };
/** Concurrent writes can cause conflicts, and a failed write may succeed on the next attempt. */
const attempts = 10;

/** Writes the status of a quota as the user of the server itself, and returns the stored quota. */
export type UpdateQuotaStatus = (quota: KubeObject) => Promise<KubeObject>;

/** What a write was charged on one quota. */
export interface Charge {
  readonly before: KubeObject;
  readonly charged: KubeObject;
  readonly amounts: Amounts;
}

/**
 * Refunds the charge of a write that failed. If the quota has not changed since the charge, its usage is restored
 * exactly.
 */
export async function refund(lister: Lister, updateStatus: UpdateQuotaStatus, charge: Charge): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    let sent: KubeObject | undefined;
    try {
      sent = refunded(lister, charge);
      if (sent !== undefined) await updateStatus(sent);
      return;
    } catch (error) {
      // A write that failed but was stored must not be repeated.
      const isOpen = sent === undefined || isConflict(error) || isStored(lister, sent);
      if (!isOpen || attempt === attempts) throw error;
    }
  }
}

/** The quota without the charge; undefined if the quota no longer exists. */
function refunded(lister: Lister, { before, charged, amounts }: Charge): KubeObject | undefined {
  const current = stored(lister, before);
  if (current === undefined || current.metadata.uid !== before.metadata.uid) return undefined;
  const isUntouched = current.metadata.resourceVersion === charged.metadata.resourceVersion;
  const used = isUntouched ? usedOf(before) : usedWithout(current, amounts);
  return { ...current, status: { ...structAt(current, "status"), used } };
}

function isStored(lister: Lister, quota: KubeObject): boolean {
  return stored(lister, quota)?.metadata.resourceVersion === quota.metadata.resourceVersion;
}

function stored(lister: Lister, { metadata }: KubeObject): KubeObject | undefined {
  return lister.get(resourceQuotas, metadata.namespace ?? "", metadata.name ?? "");
}

function usedOf(quota: KubeObject): JsonObject {
  return objectAt(quota, "status", "used") ?? {};
}

/** Leaves a resource alone if the result is negative: a recount since the charge did not include it. */
function usedWithout(quota: KubeObject, amounts: Amounts): JsonObject {
  const used = usedOf(quota);
  const rest = sumOf(amountsIn(used), negated(amounts));
  const known = [...rest].filter(([resource, amount]) => used[resource] !== undefined && amount.sign >= 0);
  return { ...used, ...Object.fromEntries(known.map(([resource, amount]) => [resource, String(amount)])) };
}
