import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
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

/** The name of the first Secret with a token of an account that the account lists; undefined if it lists none. */
export function listedToken(account: KubeObject, lister: Lister): string | undefined {
  const { namespace = "" } = account.metadata;
  return listAt(account, "secrets")
    .map((reference) => textAt(reference, "name"))
    .find((name) => {
      const secret = lister.get({ group: "", resource: "secrets" }, namespace, name);
      return secret !== undefined && isTokenOf(secret, account);
    });
}

function isTokenOf(secret: KubeObject, { metadata }: KubeObject): boolean {
  const uid = secret.metadata.annotations?.[uidAnnotation] ?? "";
  return (
    isTokenSecret(secret) && accountOfToken(secret) === metadata.name && (uid === "" || uid === metadata.uid)
  );
}
