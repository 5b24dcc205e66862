import { textAt } from "../../apimachinery/fields.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";

const loadParser = () =>
  import("../../kinds/certificates/certificate-signing-request/certificate-request.ts");

const clientSigner = "kubernetes.io/kube-apiserver-client";
const masters = "system:masters";

/** Rejects requests for client certificates of the group `system:masters`, which passes every authorizer. */
export function certificateSubjectRestriction(): AdmissionPlugin {
  return {
    name: "CertificateSubjectRestriction",
    handles: (operation) => operation === "CREATE",
    validate: (attributes) => {
      const { object } = attributes;
      if (object === undefined) return;
      if (!isAbout(attributes, "certificates.k8s.io", "certificatesigningrequests")) return;
      if (textAt(object, "spec", "signerName") !== clientSigner) return;
      return loadParser().then(({ parseCertificateRequest }) => {
        // Validation has already rejected a request that cannot be parsed.
        const request = parseCertificateRequest(textAt(object, "spec", "request"));
        if (!request?.organizations.includes(masters)) return;
        throw refused(attributes, `use of ${clientSigner} signer with ${masters} group is not allowed`);
      });
    },
  };
}
