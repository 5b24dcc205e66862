import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addClusterTrustBundleErrors,
  addClusterTrustBundleUpdateErrors,
} from "./cluster-trust-bundle-validation.ts";

/** The name of a bundle depends on its signer, so validation checks it together with the spec. */
export function clusterTrustBundleStrategy(base: Strategy): Strategy {
  return {
    ...withGeneration(base, changed("spec")),
    validateName: () => [],
    metadataChecks: { create: "own", update: "own" },
    validate: addClusterTrustBundleErrors,
    validateUpdate: addClusterTrustBundleUpdateErrors,
  };
}
