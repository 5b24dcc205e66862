import type { UserInfo } from "../apimachinery/user-info.ts";
import type { Authorizer } from "./contract/authorizer.ts";
import { resourceAttributes } from "./contract/resource-attributes.ts";

/** The verbs on signers. */
export type SignerVerb = "approve" | "sign" | "attest";

/**
 * Whether a user has the permission for a signer: for its full name, or for all signers of its domain,
 * `example.com/*`. Upstream: `IsAuthorizedForSignerName`.
 */
export async function isAuthorizedForSigner(
  authorize: Authorizer,
  user: UserInfo,
  verb: SignerVerb,
  signerName: string,
): Promise<boolean> {
  const [domain = ""] = signerName.split("/");
  for (const name of [signerName, `${domain}/*`]) {
    const signer = { group: "certificates.k8s.io", version: "*", resource: "signers", namespace: "", name };
    const decision = await authorize(resourceAttributes(user, { verb, ...signer }));
    if (decision.verdict === "allow") return true;
  }
  return false;
}
