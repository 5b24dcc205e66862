import { isInScope } from "../admission/quota/scopes.ts";
import { isCounted, usageOf } from "../admission/quota/usage.ts";
import { isConflict, isNotFound } from "../apimachinery/errors/error-predicates.ts";
import { objectAt, structAt } from "../apimachinery/fields.ts";
import type { GroupResource } from "../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { type Amounts, amountsIn, sumOf } from "../kinds/quantities/resource-amounts.ts";
import type { QuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import type { ControllerClient } from "./contract/controller.ts";

const resourceQuotas = { group: "", resource: "resourcequotas" };

/** Counts what a quota limits, and writes its status if that has changed. */
export async function recount(
  lister: Lister,
  client: ControllerClient,
  evaluators: QuotaEvaluators,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<void> {
  for (;;) {
    const quota = lister.get(resourceQuotas, namespace, name);
    if (quota === undefined || quota.metadata.deletionTimestamp !== undefined) return;
    const status = statusOf(lister, evaluators, namespace, quota);
    if (jsonEqual(status, structAt(quota, "status"))) return;
    try {
      await client.update({ ...quota, status }, { namespace, subresource: "status" });
      return;
    } catch (error) {
      // After a conflict, the other write caused another event.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }
}

function statusOf(
  lister: Lister,
  evaluators: QuotaEvaluators,
  namespace: string,
  quota: KubeObject,
): JsonObject {
  const hard = objectAt(structAt(quota, "spec"), "hard") ?? {};
  const used: { [name: string]: string } = {};
  for (const gr of resourcesOf(Object.keys(hard), evaluators)) {
    const evaluator = evaluators.evaluatorOf(gr);
    const total = lister
      .list(gr, namespace)
      .filter((object) => isInScope(quota, evaluator, object) && !evaluator?.isFinished?.(object))
      .reduce<Amounts>((sum, object) => sumOf(sum, usageOf(gr, evaluator, object)), new Map());
    for (const name of Object.keys(hard)) {
      if (isCounted(gr, evaluator, name)) used[name] = String(total.get(name) ?? "0");
    }
  }
  const names = [...amountsIn(hard).keys()];
  return { hard, used: Object.fromEntries(names.map((name) => [name, used[name] ?? "0"])) };
}

/** The resources whose objects count toward quotas with these names. */
function resourcesOf(
  names: readonly string[],
  { resources, evaluatorOf }: QuotaEvaluators,
): readonly GroupResource[] {
  const found = [...resources];
  for (const name of names) {
    const [, resource = "", group = ""] = /^(?:count\/)?([a-z]+)(?:\.([a-z0-9.-]+))?$/.exec(name) ?? [];
    const gr = { group, resource };
    const isNew = !found.some((known) => known.group === group && known.resource === resource);
    if (isNew && isCounted(gr, evaluatorOf(gr), name)) found.push(gr);
  }
  return found;
}
