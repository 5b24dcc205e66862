import { isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** Handles the failure to update an Event: one that has expired or was deleted is created again, with all that it counts. */
export function createIfGone(create: () => Promise<KubeObject>): (error: unknown) => Promise<KubeObject> {
  return (error) => {
    if (isNotFound(error)) return create();
    throw error;
  };
}
