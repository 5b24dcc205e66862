import { textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { Authorizer } from "../../authorization/contract/authorizer.ts";
import { isAuthorizedForSigner } from "../../authorization/signer-permission.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAboutSubresource, refused } from "../contract/attributes.ts";

/**
 * Allows only users with the verb `approve` on the signer to approve or deny a certificate signing request. The signer
 * is that of the stored request, so a client cannot choose which permission is checked.
 */
export function certificateApproval(authorize: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    handles: (operation) => operation === "UPDATE",
    validate: (attributes) => {
      const group = "certificates.k8s.io";
      const isApproval = isAboutSubresource(attributes, group, "certificatesigningrequests", "approval");
      return isApproval ? checkApproval(authorize, attributes) : undefined;
    },
  };
}

/** @throws {StatusError} forbidden */
async function checkApproval(authorize: Authorizer, attributes: AdmissionAttributes): Promise<void> {
  const { oldObject, user } = attributes;
  const signer = oldObject === undefined ? "" : textAt(oldObject, "spec", "signerName");
  if (await isAuthorizedForSigner(authorize, user, "approve", signer)) return;
  throw refused(attributes, `user not permitted to approve requests with signerName ${goQuote(signer)}`);
}
