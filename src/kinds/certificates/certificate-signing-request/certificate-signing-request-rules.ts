import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import {
  betaCertificateSigningRequestStrategy,
  certificateApprovalStrategy,
  certificateSigningRequestStrategy,
  certificateStatusStrategy,
} from "./certificate-signing-request.ts";
import { betaCertificateSigningRequestDefaults } from "./certificates-defaults.ts";

export const certificateSigningRequestRules: KindRules<"certificatesigningrequests"> = {
  strategy: certificateSigningRequestStrategy,
  versions: {
    "certificates.k8s.io/v1beta1": {
      defaults: betaCertificateSigningRequestDefaults,
      strategy: betaCertificateSigningRequestStrategy,
    },
  },
  subresources: {
    approval: { strategy: certificateApprovalStrategy },
    status: { strategy: certificateStatusStrategy },
  },
};
