import { isConflict } from "../../apimachinery/error-predicates.ts";
import { objectAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { type KubeObject, section } from "../../apimachinery/object-meta.ts";
import { type Amounts, amountsIn, negated, sumOf } from "../../registry/core/resource-amounts.ts";

const resourceQuotas = { group: "", resource: "resourcequotas" };
/** Others that are admitted at the same time may be first. */
const attempts = 10;

/** Writes the status of a quota as the server itself, and gives what is stored then. */
export type UpdateQuotaStatus = (quota: KubeObject) => Promise<KubeObject>;

/** What a write has cost. */
export interface Charge {
  readonly before: KubeObject;
  readonly charged: KubeObject;
  readonly amounts: Amounts;
}

/** Gives back what a write was charged that has come to nothing: to the letter, if nobody has written to the quota since. */
export async function refund(
  lister: Lister,
  updateStatus: UpdateQuotaStatus,
  { before, charged, amounts }: Charge,
): Promise<void> {
  const { namespace = "", name = "", uid } = before.metadata;
  for (let attempt = 1; ; attempt += 1) {
    const current = lister.get(resourceQuotas, namespace, name);
    if (current?.metadata.uid !== uid || current === undefined) return;
    const isUntouched = current.metadata.resourceVersion === charged.metadata.resourceVersion;
    const used = isUntouched ? usedOf(before) : usedWithout(current, amounts);
    try {
      await updateStatus({ ...current, status: { ...section(current, "status"), used } });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}

function usedOf(quota: KubeObject): JsonObject {
  return objectAt(quota, "status", "used") ?? {};
}

/** Who has counted anew in the meantime has counted without it. */
function usedWithout(quota: KubeObject, amounts: Amounts): JsonObject {
  const used = usedOf(quota);
  const rest = sumOf(amountsIn(used), negated(amounts));
  const known = [...rest].filter(([resource, amount]) => used[resource] !== undefined && amount.sign >= 0);
  return { ...used, ...Object.fromEntries(known.map(([resource, amount]) => [resource, String(amount)])) };
}
