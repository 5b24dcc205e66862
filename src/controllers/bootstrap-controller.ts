import type { Clock } from "../apimachinery/clock.ts";
import { isAlreadyExists } from "../apimachinery/errors/error-predicates.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

/** How often the server checks for them. */
const milliseconds = 10_000;

/**
 * Creates the Service `kubernetes` and its endpoints again after they were deleted, as kube-apiserver does every ten
 * seconds.
 */
export function bootstrapController(
  clock: Clock,
  client: ControllerClient,
  manifests: () => readonly KubeObject[],
): Controller {
  /** When to create what was deleted, by kind. */
  const due = new Map<string, number>();
  return {
    name: "bootstrap-controller",
    observe: ({ type, object }) => {
      if (object.metadata.name !== "kubernetes" || object.metadata.namespace !== "default") return [];
      const { kind } = object;
      if (!manifests().some((manifest) => manifest.kind === kind)) return [];
      if (type === "put") due.delete(kind);
      else due.set(kind, clock.now() + milliseconds);
      return type === "put" ? [] : [kind];
    },
    reconcile: async (kind) => {
      const left = (due.get(kind) ?? Number.NaN) - clock.now();
      if (left > 0) return left;
      if (due.delete(kind)) await remake(kind);
      return undefined;
    },
  };

  async function remake(kind: string): Promise<void> {
    for (const manifest of manifests().filter((each) => each.kind === kind)) {
      await client.create(manifest).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    }
  }
}
