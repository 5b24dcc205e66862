import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Release } from "../../../apimachinery/release.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addObjectMetaErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import { expressionRelease } from "../../../catalog/effective-version.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** What validating and mutating policies have in common. `old` is undefined on create. */
export function admissionPolicyStrategy(
  base: Strategy,
  { served }: StrategyEnvironment,
  addErrors: (errors: Findings, policy: KubeObject, old: KubeObject | undefined, release: Release) => void,
): Strategy {
  const release = expressionRelease(served.current.catalog.version);
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "library", update: "own" },
    validate: (errors, policy) => addErrors(errors, policy, undefined, release),
    validateUpdate: (errors, policy, old) => {
      addObjectMetaErrors(errors, policy.metadata, metadataRules);
      addErrors(errors, policy, old, release);
    },
  };
}
