import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { podCertificateRequestDefaults } from "./pod-certificate-request-defaults.ts";

export const podCertificateRequestRules: KindRules<"podcertificaterequests"> = {
  versions: {
    "certificates.k8s.io/v1alpha1": { defaults: podCertificateRequestDefaults },
    "certificates.k8s.io/v1beta1": { defaults: podCertificateRequestDefaults },
  },
};
