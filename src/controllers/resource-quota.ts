import type { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import { structAt } from "../apimachinery/fields.ts";
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
      const { namespace, name, generation = 0 } = object.metadata;
      if (namespace === undefined) return [];
      const key = `${namespace}/${name}`;
      const isQuota = object.kind === "ResourceQuota";
      if (isQuota && type === "put") known.set(key, key);
      else if (isQuota) known.delete(key);
      // A pod uses less when it has terminated, and may use less once a client has changed it, as a resize does.
      const usesLess = object.kind === "Pod" && (generation > 1 || isFinishedPod(object));
      if (type === "delete" || usesLess) return known.values(`${namespace}/`);
      // A charge by admission does not cause another count, because its object is written afterwards.
      return isQuota && !isTakenOver(object) ? [key] : [];
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

/** Whether the limits in the status are those of the spec. */
function isTakenOver(quota: KubeObject): boolean {
  return jsonEqual(structAt(quota, "spec", "hard"), structAt(quota, "status", "hard"));
}
