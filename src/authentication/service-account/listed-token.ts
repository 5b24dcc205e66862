import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { accountOfToken, isTokenSecret, uidAnnotation } from "./token-secret.ts";

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
