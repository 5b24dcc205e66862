import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { clusterTrustBundlePrinter } from "./cluster-trust-bundle-printer.ts";

export const clusterTrustBundleKind: KindDefinition = builtInKind({
  group: "certificates.k8s.io",
  resource: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  printer: clusterTrustBundlePrinter,
  rules: async () => (await import("./cluster-trust-bundle-rules.ts")).clusterTrustBundleRules,
});
