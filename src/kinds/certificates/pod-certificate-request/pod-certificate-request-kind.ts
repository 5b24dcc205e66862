import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podCertificateRequestKind: KindDefinition = builtInKind({
  group: "certificates.k8s.io",
  resource: "podcertificaterequests",
  kind: "PodCertificateRequest",
  printer: async () => (await import("./pod-certificate-request-printer.ts")).podCertificateRequestPrinter,
  rules: async () => (await import("./pod-certificate-request-rules.ts")).podCertificateRequestRules,
});
