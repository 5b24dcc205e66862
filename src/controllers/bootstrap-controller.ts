import type { Clock } from "../apimachinery/clock.ts";
import { isAlreadyExists } from "../apimachinery/errors/error-predicates.ts";
import type { Controller } from "./contract/controller.ts";
import type { KubernetesService } from "./contract/kubernetes-service.ts";

/** How often the server checks for them. */
const milliseconds = 10_000;

/**
 * Keeps the address of the server in the Service `kubernetes` and its endpoints, and creates them again after they were
 * deleted, as kube-apiserver does every ten seconds. `due` says when to create what was deleted, by kind.
 */
export function bootstrapController(
  clock: Clock,
  service: KubernetesService,
  due: Map<string, number>,
): Controller {
  return {
    name: "bootstrap-controller",
    kinds: [...service.kinds],
    observe: ({ type, object: { kind, metadata } }) => {
      const { name, namespace = "default" } = metadata;
      if (name !== "kubernetes" || namespace !== "default") return [];
      if (!service.kinds.has(kind)) return [];
      if (type === "put") due.delete(kind);
      else due.set(kind, clock.now() + milliseconds);
      return [kind];
    },
    observePublication: () => service.kinds,
    reconcile: async (kind) => {
      const left = (due.get(kind) ?? Number.NaN) - clock.now();
      if (left > 0) return left;
      if (due.delete(kind)) {
        await service.create(kind).catch((error: unknown) => {
          if (!isAlreadyExists(error)) throw error;
        });
      }
      service.publish(kind);
      return undefined;
    },
  };
}
