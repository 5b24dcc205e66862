import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { clusterTrustBundleStrategy } from "./cluster-trust-bundle-strategy.ts";

export const clusterTrustBundleRules: BuiltInRules<"clustertrustbundles"> = {
  strategy: clusterTrustBundleStrategy,
};
