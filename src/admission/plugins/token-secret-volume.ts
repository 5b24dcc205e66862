import { StatusError, serverTimeout } from "../../apimachinery/errors/errors.ts";
import { textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { listedToken } from "../../authentication/service-account/token-secret.ts";
import type { TokenVolume } from "./token-volume.ts";

/**
 * The volume of pods before BoundServiceAccountTokenVolume: the Secret with a token that the account lists first.
 * @throws {StatusError} ServerTimeout, so that clients try again, while the account lists none
 */
export function tokenSecretVolume(
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
