import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ControllerClient } from "../contract/controller.ts";

const nameAnnotation = "kubernetes.io/service-account.name";

/** The annotation with the uid of the account of a token. */
export const uidAnnotation = "kubernetes.io/service-account.uid";

/** Whether an object is a Secret for the token of a service account. */
export function isTokenSecret(object: KubeObject): boolean {
  return object.kind === "Secret" && object["type"] === "kubernetes.io/service-account-token";
}

/** The name of the account that a Secret is for. */
export function accountOfToken({ metadata }: KubeObject): string {
  return metadata.annotations?.[nameAnnotation] ?? "";
}

/** Deletes this Secret, unless another client has, even if there is a new one of its name. */
export async function deleteSecret({ metadata }: KubeObject, client: ControllerClient): Promise<void> {
  const { namespace = "", name = "", uid = "" } = metadata;
  await client.delete("v1", "Secret", name, { namespace, preconditions: { uid } }).catch((error: unknown) => {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  });
}
