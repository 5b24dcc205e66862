import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addStorageVersionStatusErrors, storageVersionNameMessages } from "./storage-version-validation.ts";

/** The spec of a StorageVersion is empty. */
export function storageVersionStrategy(base: Strategy): Strategy {
  return {
    ...base,
    validateName: storageVersionNameMessages,
    metadataChecks: { create: "core", update: "own" },
  };
}

/** `/status` holds the version that each API server encodes, and the one that all of them agree on. */
export function storageVersionStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    metadataChecks: base.metadataChecks,
    validateUpdate: addStorageVersionStatusErrors,
  };
}
