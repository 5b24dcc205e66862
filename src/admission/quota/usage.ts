import { formatGroupResource, type GroupResource } from "../../apimachinery/group-version.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import { type Amounts, sumOf } from "../../kinds/quantities/resource-amounts.ts";
import type { QuotaEvaluator } from "../../registry/contract/quota-evaluator.ts";

/** Whether an object of this resource can use a resource that a quota limits under this name. */
export function isCounted(gr: GroupResource, evaluator: QuotaEvaluator | undefined, name: string): boolean {
  return objectCount(gr, evaluator).has(name) || (evaluator?.matches?.(name) ?? false);
}

/** What one object uses, by the names of quotas. */
export function usageOf(
  gr: GroupResource,
  evaluator: QuotaEvaluator | undefined,
  object: KubeObject,
): Amounts {
  const count = objectCount(gr, evaluator);
  return evaluator?.usage === undefined ? count : sumOf(count, evaluator.usage(object));
}

const one = parseQuantity("1");

function objectCount(gr: GroupResource, evaluator: QuotaEvaluator | undefined): Amounts {
  const count = new Map([[`count/${formatGroupResource(gr)}`, one]]);
  if (evaluator?.objectCountName !== undefined) count.set(evaluator.objectCountName, one);
  return count;
}
