import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../apimachinery/validation/names.ts";
import type { Strategy } from "./strategy.ts";

/** The facts of a resource from the catalog that strategies depend on. */
export interface StrategyTraits {
  /** It has a status subresource, so its main endpoint neither sets nor changes the status. */
  readonly hasStatus: boolean;
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  readonly deleteReturnsObject: boolean;
}

const noWarnings: readonly string[] = [];
const nothing = () => {};

/** The strategy of most kinds. A kind spreads it and overrides what differs. */
export function defaultStrategy(traits: StrategyTraits): Strategy {
  return {
    authorizeWrite: undefined,
    validateName: dnsSubdomainName,
    metadataChecks: { create: "core", update: "core" },
    beginWrite: () => nothing,
    prepareForCreate: (object) => {
      if (traits.hasStatus) delete object["status"];
    },
    validate: nothing,
    warningsOnCreate: () => noWarnings,
    prepareForUpdate: (object, old) => {
      if (traits.hasStatus) keepOld(object, old, "status");
    },
    validateUpdate: nothing,
    warningsOnUpdate: () => noWarnings,
    countsGeneration: undefined,
    prepareForGeneration: undefined,
    withStorageDefaults: (object) => object,
    allowCreateOnUpdate: traits.allowCreateOnUpdate,
    allowUnconditionalUpdate: traits.allowUnconditionalUpdate,
    garbageCollectionPolicy: "background",
    orphanWarning: undefined,
    checkDeletion: nothing,
    deleteReturnsObject: traits.deleteReturnsObject,
    gracePeriodSeconds: () => undefined,
    hasOtherFinalizers: () => false,
    prepareForTermination: nothing,
    deletion: "generic",
    beginDeletion: undefined,
    dependentKeys: () => [],
  };
}

/** Adds a preparation step on create and update. `old` is undefined on create. */
export function withPreparation(
  base: Strategy,
  prepare: (object: MutableKubeObject, old: KubeObject | undefined) => void,
): Strategy {
  return {
    ...base,
    prepareForCreate: (object, context) => {
      base.prepareForCreate(object, context);
      prepare(object, undefined);
    },
    prepareForUpdate: (object, old, context) => {
      base.prepareForUpdate(object, old, context);
      prepare(object, old);
    },
  };
}

/** Maintains `metadata.generation`: 1 on create, incremented by each update for which `hasChanged` is true. */
export function withGeneration(
  base: Strategy,
  hasChanged: (object: KubeObject, old: KubeObject) => boolean,
): Strategy {
  return { ...base, countsGeneration: hasChanged };
}

/** Compares top-level fields; true if one of them differs. */
export function changed(...fields: readonly string[]): (object: KubeObject, old: KubeObject) => boolean {
  return (object, old) => fields.some((field) => !jsonEqual(object[field] ?? null, old[field] ?? null));
}

/** Restores a top-level field of the old object. */
export function keepOld(object: MutableKubeObject, old: KubeObject, field: string): void {
  const value = old[field];
  if (value === undefined) delete object[field];
  else object[field] = value;
}
