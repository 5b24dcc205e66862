import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** The annotation with the name of the account of a token. */
export const nameAnnotation = "kubernetes.io/service-account.name";

/** The annotation with the uid of the account of a token. */
export const uidAnnotation = "kubernetes.io/service-account.uid";

export const tokenSecretType = "kubernetes.io/service-account-token";

/** Whether an object is a Secret for the token of a service account. */
export function isTokenSecret(object: KubeObject): boolean {
  return object.kind === "Secret" && object["type"] === tokenSecretType;
}

/** The name of the account that a Secret is for. */
export function accountOfToken({ metadata }: KubeObject): string {
  return metadata.annotations?.[nameAnnotation] ?? "";
}
