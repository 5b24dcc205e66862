import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { clusterTrustBundleStrategy } from "./cluster-trust-bundle-strategy.ts";

export const clusterTrustBundleRules: KindRules<"clustertrustbundles"> = {
  strategy: clusterTrustBundleStrategy,
};
