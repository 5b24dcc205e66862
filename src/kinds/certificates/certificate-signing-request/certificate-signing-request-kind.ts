import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { certificateSigningRequestPrinter } from "./certificate-signing-request-printer.ts";

export const certificateSigningRequestKind: KindDefinition = builtInKind({
  group: "certificates.k8s.io",
  resource: "certificatesigningrequests",
  kind: "CertificateSigningRequest",
  printer: certificateSigningRequestPrinter,
  rules: async () => (await import("./certificate-signing-request-rules.ts")).certificateSigningRequestRules,
});
