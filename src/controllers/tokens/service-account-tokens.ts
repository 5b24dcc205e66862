import { structAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ServiceAccountKeys } from "../../authentication/contract/service-account-keys.ts";
import { legacyTokenClaims } from "../../authentication/service-account/legacy-token.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { accountOfToken, deleteSecret, uidAnnotation } from "./token-secret.ts";

const secrets = { group: "", resource: "secrets" };
const accounts = { group: "", resource: "serviceaccounts" };

/**
 * Fills in the Secrets of the type `kubernetes.io/service-account-token`, and deletes those whose account is gone. Upstream:
 * pkg/controller/serviceaccount/tokens_controller.go.
 */
export function serviceAccountTokens(
  lister: Lister,
  client: ControllerClient,
  keys: ServiceAccountKeys,
  rootCa: () => string,
): Controller["reconcile"] {
  return async (key) => {
    const [namespace = "", name = ""] = key.split("/");
    const secret = lister.get(secrets, namespace, name);
    if (secret === undefined || secret.metadata.deletionTimestamp) return;
    const account = lister.get(accounts, namespace, accountOfToken(secret));
    const known = secret.metadata.annotations?.[uidAnnotation];
    const isOfOther = known !== undefined && known !== account?.metadata.uid;
    if (account === undefined || isOfOther) await deleteSecret(secret, client);
    else await fillIn(secret, account, client, keys, rootCa());
  };
}

async function fillIn(
  secret: KubeObject,
  account: KubeObject,
  client: ControllerClient,
  keys: ServiceAccountKeys,
  rootCa: string,
): Promise<void> {
  const data = structAt(secret, "data");
  const { namespace = "", uid = "" } = account.metadata;
  const filled: JsonObject = {
    ...(rootCa !== "" && { "ca.crt": btoa(rootCa) }),
    namespace: data["namespace"] ?? btoa(namespace),
    token: data["token"] ?? (await newToken(account, secret, keys)),
  };
  const annotations = { ...secret.metadata.annotations, [uidAnnotation]: uid };
  const isFilled =
    Object.entries(filled).every(([field, value]) => data[field] === value) &&
    secret.metadata.annotations?.[uidAnnotation] === uid;
  if (isFilled) return;
  await client.update({
    ...secret,
    metadata: { ...secret.metadata, annotations },
    data: { ...data, ...filled },
  });
}

async function newToken(account: KubeObject, secret: KubeObject, keys: ServiceAccountKeys): Promise<string> {
  return btoa(await keys.sign(legacyTokenClaims(account, secret)));
}
