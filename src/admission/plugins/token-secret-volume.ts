import { StatusError, serverTimeout } from "../../apimachinery/errors/errors.ts";
import { textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import { listedToken } from "../../authentication/service-account/listed-token.ts";
import type { MutatingAttributes } from "../contract/admission.ts";
import type { ServiceAccountEnvironment } from "./service-account-environment.ts";
import type { TokenVolume } from "./token-volume.ts";

const serviceAccounts = { group: "", resource: "serviceaccounts" };

/**
 * The volumes with the tokens of service accounts. Waits until the controllers have created the account of a pod and its token, unless one of
 * them creates the pod: it tries again.
 */
export async function tokenSecretVolumes(
  name: string,
  { lister, suffix, settle }: ServiceAccountEnvironment,
  { namespace, user }: MutatingAttributes,
  needsToken: (account: KubeObject) => boolean,
): Promise<(account: KubeObject) => TokenVolume> {
  const account = lister.get(serviceAccounts, namespace, name);
  const isIncomplete =
    account === undefined
      ? name === "default"
      : needsToken(account) && listedToken(account, lister) === undefined;
  if (isIncomplete && !isController(user)) await settle();
  return (found) => tokenSecretVolume(found, lister, suffix);
}

function isController({ name }: UserInfo): boolean {
  return name.startsWith("system:kube-") || name.startsWith("system:serviceaccount:kube-system:");
}

/**
 * The volume of pods before BoundServiceAccountTokenVolume: the Secret with a token that the account lists first.
 * @throws {StatusError} ServerTimeout, so that clients try again, while the account lists none
 */
function tokenSecretVolume(
  account: KubeObject,
  lister: Lister,
  suffix: (length: number) => string,
): TokenVolume {
  const secretName = listedToken(account, lister);
  if (secretName === undefined) throw noToken(account);
  const volumeName = secretName.replaceAll(".", "-");
  return {
    isOwn: (volume) => textAt(volume, "secret", "secretName") === secretName,
    name: (taken) => (taken.includes(volumeName) ? `${volumeName}-${suffix(5)}` : volumeName),
    source: { secret: { secretName, defaultMode: 420 } },
  };
}

function noToken({ metadata: { name = "" } }: KubeObject): StatusError {
  const { status } = serverTimeout({ group: "", resource: "serviceaccounts" }, "create pod", 1);
  const advice = "retry after the token is automatically created and added to the service account";
  return new StatusError({
    ...status,
    message: `No API token found for service account ${goQuote(name)}, ${advice}`,
  });
}
