import type { FieldError } from "../../apimachinery/errors/field.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { dnsSubdomainName } from "../../apimachinery/validation/names.ts";
import type { Strategy } from "./strategy.ts";

/** What the catalog tells of a resource, as far as strategies care. */
export interface StrategyTraits {
  /** It has a status subresource, so its own endpoint neither sets nor changes status. */
  readonly hasStatus: boolean;
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  readonly deleteReturnsObject: boolean;
}

const noErrors: readonly FieldError[] = [];
const noWarnings: readonly string[] = [];
const nothing = () => {};

/** What most kinds do. Kinds that differ spread it and replace what they differ in. */
export function defaultStrategy(traits: StrategyTraits): Strategy {
  return {
    validateName: dnsSubdomainName,
    metadataChecks: { create: "core", update: "core" },
    begin: () => nothing,
    prepareForCreate: (object) => {
      if (traits.hasStatus) delete object["status"];
    },
    validate: () => noErrors,
    warningsOnCreate: () => noWarnings,
    prepareForUpdate: (object, old) => {
      if (traits.hasStatus) keepOld(object, old, "status");
    },
    validateUpdate: () => noErrors,
    warningsOnUpdate: () => noWarnings,
    countsGeneration: undefined,
    prepareForGeneration: nothing,
    asRead: (object) => object,
    allowCreateOnUpdate: traits.allowCreateOnUpdate,
    allowUnconditionalUpdate: traits.allowUnconditionalUpdate,
    garbageCollectionPolicy: "background",
    orphanWarning: undefined,
    deleteReturnsObject: traits.deleteReturnsObject,
    gracePeriodSeconds: () => undefined,
    isHeldBack: () => false,
    prepareForTermination: nothing,
    deletion: "generic",
    goesWith: () => [],
  };
}

/** As `base`, but that this is done to objects after what `base` does. `old` is undefined for a new one. */
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

/** Counts generations: 1 on create, and one more each time `hasChanged` says so. */
export function withGeneration(
  base: Strategy,
  hasChanged: (object: KubeObject, old: KubeObject) => boolean,
): Strategy {
  return { ...base, countsGeneration: hasChanged };
}

/** Whether one of these top-level fields differs. */
export function changed(...fields: readonly string[]): (object: KubeObject, old: KubeObject) => boolean {
  return (object, old) => fields.some((field) => !jsonEqual(object[field] ?? null, old[field] ?? null));
}

/** Gives a top-level field the value it had. */
export function keepOld(object: MutableKubeObject, old: KubeObject, field: string): void {
  const value = old[field];
  if (value === undefined) delete object[field];
  else object[field] = value;
}
