import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const certificateSigningRequestKind: KindDefinition = builtInKind({
  group: "certificates.k8s.io",
  resource: "certificatesigningrequests",
  kind: "CertificateSigningRequest",
  printer: async () =>
    (await import("./certificate-signing-request-printer.ts")).certificateSigningRequestPrinter,
  rules: async () => (await import("./certificate-signing-request-rules.ts")).certificateSigningRequestRules,
});
