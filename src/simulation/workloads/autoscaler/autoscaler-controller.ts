import type { Controller } from "../../../controllers/contract/controller.ts";
import { isOfKind, keyOf } from "../contract/object-key.ts";
import type { WorkloadResource } from "../contract/workload-resources.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { AutoscalerMemory } from "./autoscaler-memory.ts";
import { AutoscalerSync } from "./autoscaler-sync.ts";

/** `--horizontal-pod-autoscaler-sync-period`, in milliseconds. */
const syncPeriod = 15_000;

/** By how many milliseconds a look may come too early: the manager of controllers counts from the beginning of the last call. */
const early = 1000;

const autoscalers: Pick<WorkloadResource, "group" | "kind"> = {
  group: "autoscaling",
  kind: "HorizontalPodAutoscaler",
};

/**
 * Scales what HorizontalPodAutoscalers name, by metrics. It looks at each of them every 15 seconds, for the first time 15 seconds after
 * it appears, and never because of a change. Upstream: pkg/controller/podautoscaler/horizontal.go.
 */
export function horizontalPodAutoscalerController(environment: WorkloadEnvironment): Controller {
  const { memory, clock } = environment;
  const histories = memory.part("workloads/autoscalers", () => new AutoscalerMemory());
  const sync = new AutoscalerSync(environment, histories);
  return {
    name: "horizontal-pod-autoscaler-controller",
    kinds: [autoscalers.kind],
    observe: ({ type, object }) => {
      if (!isOfKind(object, autoscalers)) return [];
      const key = keyOf(object);
      if (type === "delete") histories.delete(key);
      if (type === "delete" || histories.get(key) !== undefined) return [];
      histories.add(key, clock.now() + syncPeriod);
      return [key];
    },
    reconcile: async (key) => {
      const now = clock.now();
      const due = histories.get(key)?.due;
      if (due === undefined) return undefined;
      if (now < due - early) return due - now;
      // In a rhythm, unless the clock has been advanced by more.
      const next = due + syncPeriod > now ? due + syncPeriod : now + syncPeriod;
      histories.note(key, { due: next });
      await sync.sync(key);
      return next - now;
    },
  };
}
