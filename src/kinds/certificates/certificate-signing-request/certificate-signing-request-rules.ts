import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { betaCertificateSigningRequestDefaults } from "./certificate-signing-request-defaults.ts";
import {
  betaCertificateSigningRequestStrategy,
  certificateApprovalStrategy,
  certificateSigningRequestStrategy,
  certificateStatusStrategy,
} from "./certificate-signing-request-strategy.ts";

export const certificateSigningRequestRules: BuiltInRules<"certificatesigningrequests"> = {
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
