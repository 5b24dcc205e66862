import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ControllerClient } from "../contract/controller.ts";

/** Deletes this Secret, unless another client has, even if there is a new one of its name. */
export async function deleteSecret({ metadata }: KubeObject, client: ControllerClient): Promise<void> {
  const { namespace = "", name = "", uid = "" } = metadata;
  await client.delete("v1", "Secret", name, { namespace, preconditions: { uid } }).catch((error: unknown) => {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  });
}
