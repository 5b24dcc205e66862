import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { certificatesPrinters } from "../../printers/access.ts";

export const clusterTrustBundleKind: KindDefinition = builtInKind({
  group: "certificates.k8s.io",
  resource: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  printer: certificatesPrinters["clustertrustbundles"],
  rules: async () => (await import("./cluster-trust-bundle-rules.ts")).clusterTrustBundleRules,
});
