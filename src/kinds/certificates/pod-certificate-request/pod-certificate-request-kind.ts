import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { certificatesPrinters } from "../../printers/access.ts";

export const podCertificateRequestKind: KindDefinition = builtInKind({
  group: "certificates.k8s.io",
  resource: "podcertificaterequests",
  kind: "PodCertificateRequest",
  printer: certificatesPrinters["podcertificaterequests"],
  rules: async () => (await import("./pod-certificate-request-rules.ts")).podCertificateRequestRules,
});
