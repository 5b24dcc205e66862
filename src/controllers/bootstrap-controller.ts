import type { Clock } from "../apimachinery/clock.ts";
import type { Controller } from "./contract/controller.ts";
import type { KubernetesService } from "./contract/kubernetes-service.ts";

/** How often the server checks for them. */
const milliseconds = 10_000;

/** The kinds of the other objects that the server keeps. */
const ensured = ["Namespace", "ConfigMap", "FlowSchema", "PriorityLevelConfiguration"];

/**
 * Creates the objects of the server that are of a kind, and mends others than its Service. Resolves to the milliseconds until it has to look
 * again, if there is something to do. `due` says when that is, by kind.
 */
export type EnsureObjects = (kind: string, due: Map<string, number>) => Promise<number | undefined>;

/**
 * Keeps the address of the server in the Service `kubernetes` and its endpoints, and creates them again after they were
 * deleted, as kube-apiserver does every ten seconds. `due` says when to create what was deleted, by kind. It keeps other objects of the
 * server, too, which upstream has several loops for.
 */
export function bootstrapController(
  clock: Clock,
  service: KubernetesService,
  due: Map<string, number>,
  ensure: EnsureObjects,
): Controller {
  return {
    name: "bootstrap-controller",
    kinds: [...service.kinds, ...ensured],
    observe: ({ type, object: { kind, metadata }, isFound }) => {
      const { name, namespace = "default" } = metadata;
      if (ensured.includes(kind)) {
        const isOther =
          kind === "Namespace" ? type === "put" : kind === "ConfigMap" && namespace !== "kube-system";
        return isFound || isOther ? [] : [kind];
      }
      if (name !== "kubernetes" || namespace !== "default") return [];
      if (!service.kinds.has(kind)) return [];
      if (type === "put") due.delete(kind);
      else due.set(kind, clock.now() + milliseconds);
      return [kind];
    },
    observePublication: () => service.kinds,
    reconcile: async (kind) => {
      if (ensured.includes(kind)) return ensure(kind, due);
      const left = (due.get(kind) ?? Number.NaN) - clock.now();
      if (left > 0) return left;
      if (due.delete(kind)) await ensure(kind, due);
      service.publish(kind);
      return undefined;
    },
  };
}
