import type { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import { objectAt } from "../apimachinery/fields.ts";
import { jsonEqual } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { isFinishedPod } from "../kinds/core/pod/finished-pod.ts";
import type { LoadQuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import type { ForkableMap } from "../store/forkable-map.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

/**
 * Updates the status of quotas: their limits and the usage. Admission adds to the usage; this controller recomputes
 * it after deletions. `known` has the keys of all quotas.
 */
export function resourceQuotaController(
  lister: Lister,
  client: ControllerClient,
  quotaMutex: KeyedMutex,
  loadEvaluators: LoadQuotaEvaluators,
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
      const { recount } = await import("./quota-recount.ts");
      // The lock ensures that the charges and the objects in the store agree.
      const release = await quotaMutex.lock(namespace);
      try {
        await recount(lister, client, await loadEvaluators(), { namespace, name });
      } finally {
        release();
      }
    },
  };
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
