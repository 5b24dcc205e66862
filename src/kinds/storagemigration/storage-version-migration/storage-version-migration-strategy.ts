import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import {
  addAlphaResourceChangeErrors,
  addAlphaResourceErrors,
  addAlphaStatusErrors,
  addResourceChangeErrors,
  addResourceErrors,
  addStatusErrors,
} from "./storage-version-migration-validation.ts";

/** The strategy of StorageVersionMigrations, whose resource is immutable. */
export function storageVersionMigrationStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const isBeta = gates.since("1.35");
  const addErrors = isBeta ? addResourceErrors : addAlphaResourceErrors;
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "core", update: "own" },
    validate: addErrors,
    validateUpdate: (errors, migration, old) => {
      addMetadataErrors(errors, migration, { namespaced: false, validateName: dnsSubdomainName });
      addErrors(errors, migration);
      addMetadataUpdateErrors(errors, migration, old);
      if (isBeta) addResourceChangeErrors(errors, migration, old);
      else addAlphaResourceChangeErrors(errors, migration, old);
    },
  };
}

/** The strategy of `/status`. */
export function storageVersionMigrationStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const validateUpdate = gates.since("1.35") ? addStatusErrors : addAlphaStatusErrors;
  return { ...statusStrategy(base), validateUpdate };
}
