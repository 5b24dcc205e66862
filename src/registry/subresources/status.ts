import { keepOld } from "../contract/default-strategy.ts";
import type { Strategy } from "../contract/strategy.ts";

const keptByStatus: ReadonlySet<string> = new Set(["kind", "apiVersion", "metadata", "status"]);

/** `/status` changes the status and the metadata; everything else is kept. */
export function statusStrategy(base: Strategy): Strategy {
  const { update } = base.metadataChecks;
  return {
    ...base,
    allowCreateOnUpdate: false,
    metadataChecks: { ...base.metadataChecks, update: update === "own" ? "core" : update },
    // A status update allocates nothing.
    beginWrite: () => () => {},
    prepareForUpdate: (object, old) => {
      for (const field of Object.keys({ ...object, ...old })) {
        if (!keptByStatus.has(field)) keepOld(object, old, field);
      }
    },
    validateUpdate: () => {},
    warningsOnUpdate: () => [],
  };
}
