import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { certificatesPrinters } from "../../printers/access.ts";

export const certificateSigningRequestKind: KindDefinition = builtInKind({
  group: "certificates.k8s.io",
  resource: "certificatesigningrequests",
  kind: "CertificateSigningRequest",
  printer: certificatesPrinters["certificatesigningrequests"],
  rules: async () => (await import("./certificate-signing-request-rules.ts")).certificateSigningRequestRules,
});
