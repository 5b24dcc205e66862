import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ServiceAccountKeys } from "../../authentication/contract/service-account-keys.ts";
import { legacyTokenClaims } from "../../authentication/service-account/legacy-token.ts";
import { listedToken } from "../../authentication/service-account/listed-token.ts";
import {
  accountOfToken,
  nameAnnotation,
  tokenSecretType,
  uidAnnotation,
} from "../../authentication/service-account/token-secret.ts";
import { generatedName, type Identifiers } from "../../registry/contract/system-fields.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { isActive } from "../contract/namespaces.ts";
import { deleteSecret } from "./delete-secret.ts";

const secrets = { group: "", resource: "secrets" };
const accounts = { group: "", resource: "serviceaccounts" };

/** What the controller of the tokens in Secrets needs. */
export interface TokenEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly keys: ServiceAccountKeys;
  readonly identifiers: Identifiers;
  readonly rootCa: () => string;
}

/**
 * Fills in the Secrets of the type `kubernetes.io/service-account-token`, deletes those whose account is gone, and removes deleted
 * ones from their accounts. A key `NAMESPACE/NAME/account` gives an account a Secret with a token if it lists none. Upstream:
 * pkg/controller/serviceaccount/tokens_controller.go.
 */
export function serviceAccountTokens(environment: TokenEnvironment): Controller["reconcile"] {
  const { lister, client } = environment;
  return async (key) => {
    const [namespace = "", name = "", part] = key.split("/");
    if (part === "account") return ensureToken(namespace, name, environment);
    const secret = lister.get(secrets, namespace, name);
    if (secret === undefined) return removeReferences(namespace, name, environment);
    if (secret.metadata.deletionTimestamp) return;
    const account = lister.get(accounts, namespace, accountOfToken(secret));
    const known = secret.metadata.annotations?.[uidAnnotation];
    const isOfOther = known !== undefined && known !== account?.metadata.uid;
    if (account === undefined || isOfOther) await deleteSecret(secret, client);
    else await fillIn(secret, account, environment);
  };
}

async function fillIn(
  secret: KubeObject,
  account: KubeObject,
  { client, keys, rootCa }: TokenEnvironment,
): Promise<void> {
  const data = structAt(secret, "data");
  const { uid = "" } = account.metadata;
  const filled: JsonObject = {
    ...authorityData(rootCa()),
    namespace: data["namespace"] ?? namespaceData(account),
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

/** A new Secret comes before its reference: without the reference, it is deleted again. */
async function ensureToken(namespace: string, name: string, environment: TokenEnvironment): Promise<void> {
  const { lister, client, keys, identifiers, rootCa } = environment;
  const account = lister.get(accounts, namespace, name);
  if (account === undefined || listedToken(account, lister) !== undefined) return;
  if (!isActive(lister, namespace)) return;
  const { uid = "" } = account.metadata;
  const manifest: KubeObject = {
    kind: "Secret",
    apiVersion: "v1",
    metadata: {
      name: generatedName(`${name}-token-`, identifiers),
      namespace,
      annotations: { [nameAnnotation]: name, [uidAnnotation]: uid },
    },
    type: tokenSecretType,
  };
  const token = await newToken(account, manifest, keys);
  const data = { ...authorityData(rootCa()), namespace: namespaceData(account), token };
  const secret = await client.create({ ...manifest, data });
  const references = [...listAt(account, "secrets"), { name: secret.metadata.name ?? "" }];
  try {
    await client.update({ ...account, secrets: references });
  } catch (error) {
    await deleteSecret(secret, client);
    // After a change by another client, the account comes up again.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

/** Removes a Secret that is gone from the accounts that list it. */
async function removeReferences(
  namespace: string,
  name: string,
  { lister, client }: TokenEnvironment,
): Promise<void> {
  for (const account of lister.list(accounts, namespace)) {
    const listed = listAt(account, "secrets");
    const left = listed.filter((reference) => textAt(reference, "name") !== name);
    if (left.length === listed.length) continue;
    const { secrets: _, ...rest } = account;
    // The rest has kind and apiVersion.
    await client.update({ ...(rest as KubeObject), ...(left.length > 0 && { secrets: left }) });
  }
}

function authorityData(rootCa: string): JsonObject {
  return rootCa === "" ? {} : { "ca.crt": btoa(rootCa) };
}

function namespaceData({ metadata: { namespace = "" } }: KubeObject): string {
  return btoa(namespace);
}

async function newToken(account: KubeObject, secret: KubeObject, keys: ServiceAccountKeys): Promise<string> {
  return btoa(await keys.sign(legacyTokenClaims(account, secret)));
}
