import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import {
  alphaResourceChangeErrors,
  alphaResourceErrors,
  alphaStatusErrors,
  resourceChangeErrors,
  resourceErrors,
  statusErrors,
} from "./storage-version-migration-validation.ts";

/** The strategy of StorageVersionMigrations, whose resource is immutable. */
export function storageVersionMigrationStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const isBeta = gates.since("1.35");
  const check = isBeta ? resourceErrors : alphaResourceErrors;
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "core", update: "own" },
    validate: check,
    validateUpdate: (migration, old) => [
      ...metadataErrors(migration, { namespaced: false, validateName: dnsSubdomainName }),
      ...check(migration),
      ...metadataUpdateErrors(migration, old),
      ...(isBeta ? resourceChangeErrors(migration, old) : alphaResourceChangeErrors(migration, old)),
    ],
  };
}

/** The strategy of `/status`. */
export function storageVersionMigrationStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const validateUpdate = gates.since("1.35") ? statusErrors : alphaStatusErrors;
  return { ...statusStrategy(base), validateUpdate };
}
