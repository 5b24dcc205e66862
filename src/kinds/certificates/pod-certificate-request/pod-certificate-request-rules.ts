import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podCertificateRequestDefaults } from "./pod-certificate-request-defaults.ts";
import { podCertificateRequestPrinter } from "./pod-certificate-request-printer.ts";

export const podCertificateRequestRules: BuiltInRules<"podcertificaterequests"> = {
  printer: podCertificateRequestPrinter,
  versions: {
    "certificates.k8s.io/v1alpha1": { defaults: podCertificateRequestDefaults },
    "certificates.k8s.io/v1beta1": { defaults: podCertificateRequestDefaults },
  },
};
