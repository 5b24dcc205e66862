import { listAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Authorizer } from "../../authorization/contract/authorizer.ts";
import { isAuthorizedForSigner } from "../../authorization/signer-permission.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAboutSubresource, refused } from "../contract/attributes.ts";

/**
 * Allows only users with the verb `sign` on the signer of the stored request to set its certificate or mark it as
 * failed.
 */
export function certificateSigning(authorize: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    handles: (operation) => operation === "UPDATE",
    validate: (attributes) => {
      const group = "certificates.k8s.io";
      const isStatus = isAboutSubresource(attributes, group, "certificatesigningrequests", "status");
      return isStatus ? checkSigning(authorize, attributes) : undefined;
    },
  };
}

/** @throws {StatusError} forbidden */
async function checkSigning(authorize: Authorizer, attributes: AdmissionAttributes): Promise<void> {
  const { object, oldObject, user } = attributes;
  if (object === undefined || oldObject === undefined || !isSigned(object, oldObject)) return;
  const signer = textAt(oldObject, "spec", "signerName");
  if (await isAuthorizedForSigner(authorize, user, "sign", signer)) return;
  throw refused(attributes, `user not permitted to sign requests with signerName ${goQuote(signer)}`);
}

/** Whether an update changes the fields that belong to the signer. */
function isSigned(object: KubeObject, old: KubeObject): boolean {
  const [now, before] = [object, old].map((request) => ({
    certificate: textAt(request, "status", "certificate"),
    conditions: listAt(request, "status", "conditions"),
  }));
  return !jsonEqual(now, before);
}
