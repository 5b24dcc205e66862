import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podCertificateRequestDefaults } from "./pod-certificate-request-defaults.ts";

export const podCertificateRequestRules: BuiltInRules<"podcertificaterequests"> = {
  versions: {
    "certificates.k8s.io/v1alpha1": { defaults: podCertificateRequestDefaults },
    "certificates.k8s.io/v1beta1": { defaults: podCertificateRequestDefaults },
  },
};
