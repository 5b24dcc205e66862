import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { clusterTrustBundlePrinter } from "./cluster-trust-bundle-printer.ts";
import { clusterTrustBundleStrategy } from "./cluster-trust-bundle-strategy.ts";

export const clusterTrustBundleRules: BuiltInRules<"clustertrustbundles"> = {
  printer: clusterTrustBundlePrinter,
  strategy: clusterTrustBundleStrategy,
};
