import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const clusterTrustBundleKind: KindDefinition = builtInKind({
  group: "certificates.k8s.io",
  resource: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  printer: async () => (await import("./cluster-trust-bundle-printer.ts")).clusterTrustBundlePrinter,
  rules: async () => (await import("./cluster-trust-bundle-rules.ts")).clusterTrustBundleRules,
});
