import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import { type AuthenticationNotes, type Rejection, rejected } from "../contract/authenticator.ts";
import { isSameToken } from "../contract/token-table.ts";
import type { ValidClaims } from "../contract/valid-claims.ts";
import { legacyIssuer } from "./legacy-issuer.ts";
import { legacyTokenUse } from "./legacy-token-use.ts";
import { serviceAccountOf, serviceAccountUser, serviceAccountUsername } from "./service-account-user.ts";

const claimPrefix = "kubernetes.io/serviceaccount/";

/** The claims of the token of a Secret, with sorted keys as upstream writes them. */
export function legacyTokenClaims(account: KubeObject, secret: KubeObject): JsonObject {
  const { namespace = "", name = "", uid = "" } = account.metadata;
  return {
    iss: legacyIssuer,
    [`${claimPrefix}namespace`]: namespace,
    [`${claimPrefix}secret.name`]: secret.metadata.name ?? "",
    [`${claimPrefix}service-account.name`]: name,
    [`${claimPrefix}service-account.uid`]: uid,
    sub: serviceAccountUsername(namespace, name),
  };
}

/**
 * The user of the claims of the token of a Secret, as long as the Secret holds it and the account exists. Upstream: pkg/serviceaccount/legacy.go.
 */
export function legacyTokenUser(
  environment: AuthenticationEnvironment,
): (token: string, claims: JsonObject) => ValidClaims | Rejection {
  return (token, claims) => {
    const named = namesOf(claims);
    if (typeof named === "string") return rejected(named);
    const { namespace, account, uid } = named;
    const notes = environment.config.serviceAccounts.lookup
      ? notesOrProblem(token, named, environment)
      : undefined;
    if (typeof notes === "string") return rejected(notes);
    return { user: serviceAccountUser(namespace, account, uid, {}), notes };
  };
}

/** What the claims of a legacy token name. */
interface Named {
  readonly namespace: string;
  readonly secret: string;
  readonly account: string;
  readonly uid: string;
}

/** The names in the claims, or what is missing. */
function namesOf(claims: JsonObject): Named | string {
  const subject = textAt(claims, "sub");
  const namespace = textAt(claims, `${claimPrefix}namespace`);
  const secret = textAt(claims, `${claimPrefix}secret.name`);
  const account = textAt(claims, `${claimPrefix}service-account.name`);
  const uid = textAt(claims, `${claimPrefix}service-account.uid`);
  if (subject === "") return "sub claim is missing";
  if (namespace === "") return "namespace claim is missing";
  if (secret === "") return "secretName claim is missing";
  if (account === "") return "serviceAccountName claim is missing";
  if (uid === "") return "serviceAccountUID claim is missing";
  const owner = serviceAccountOf(subject);
  if (owner?.namespace !== namespace || owner.name !== account) return "sub claim is invalid";
  return { namespace, secret, account, uid };
}

/** The notes about a token, or why it is not valid any more. */
function notesOrProblem(
  token: string,
  { namespace, secret: secretName, account: name, uid }: Named,
  environment: AuthenticationEnvironment,
): AuthenticationNotes | string | undefined {
  const { lister } = environment;
  const secret = lister.get({ group: "", resource: "secrets" }, namespace, secretName);
  if (secret === undefined || secret.metadata.deletionTimestamp) return "Token has been invalidated";
  if (!isSameToken(atob(textAt(secret, "data", "token")), token)) return "Token does not match server's copy";
  const account = lister.get({ group: "", resource: "serviceaccounts" }, namespace, name);
  if (account === undefined) return `serviceaccounts ${JSON.stringify(name)} not found`;
  if (account.metadata.deletionTimestamp) return `ServiceAccount ${namespace}/${name} has been deleted`;
  if (account.metadata.uid !== uid) {
    return `ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})`;
  }
  return legacyTokenUse(secret, account, environment);
}
