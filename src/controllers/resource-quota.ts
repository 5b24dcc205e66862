import type { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import { isInScope } from "../admission/quota/scopes.ts";
import { isCounted, usageOf } from "../admission/quota/usage.ts";
import { isConflict, isNotFound } from "../apimachinery/errors/error-predicates.ts";
import { objectAt, structAt } from "../apimachinery/fields.ts";
import type { GroupResource } from "../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { isFinishedPod } from "../kinds/core/pod/pod-quota.ts";
import { type Amounts, amountsIn, sumOf } from "../kinds/quantities/resource-amounts.ts";
import type { QuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import type { ForkableMap } from "../store/forkable-map.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

const resourceQuotas = { group: "", resource: "resourcequotas" };

/**
 * Updates the status of quotas: their limits and the usage. Admission adds to the usage; this controller recomputes
 * it after deletions. `known` has the keys of all quotas.
 */
export function resourceQuotaController(
  lister: Lister,
  client: ControllerClient,
  quotaMutex: KeyedMutex,
  evaluators: QuotaEvaluators,
  known: ForkableMap<string>,
): Controller {
  return {
    name: "resourcequota-controller",
    observe: ({ type, object }) => {
      const { namespace } = object.metadata;
      if (namespace === undefined) return [];
      const isQuota = object.kind === "ResourceQuota";
      if (isQuota && type === "put") known.set(keyOf(object), keyOf(object));
      else if (isQuota) known.delete(keyOf(object));
      if (type === "delete" || isFinished(object)) return known.values(`${namespace}/`);
      // A charge by admission does not cause another count, because its object is written afterwards.
      return isQuota && !isTakenOver(object) ? [keyOf(object)] : [];
    },
    reconcile: async (key) => {
      const [namespace = "", name = ""] = key.split("/");
      // The lock ensures that the charges and the objects in the store agree.
      const release = await quotaMutex.lock(namespace);
      try {
        await recount(lister, client, evaluators, { namespace, name });
      } finally {
        release();
      }
    },
  };
}

async function recount(
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

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Whether the limits in the status are those of the spec. */
function isTakenOver(quota: KubeObject): boolean {
  return jsonEqual(objectAt(quota, "spec", "hard") ?? {}, objectAt(quota, "status", "hard") ?? {});
}

/** Whether the object is a pod that has terminated and uses nothing. */
function isFinished(object: KubeObject): boolean {
  return object.kind === "Pod" && isFinishedPod(object);
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
