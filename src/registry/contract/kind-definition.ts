import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Printer } from "../../codec/tables/printer.ts";
import type { ServedKind } from "../../served/served-kind.ts";
import type { FieldSelectorRules } from "./field-selectors.ts";
import type { BatchConversion, OwnConversion } from "./own-conversion.ts";
import type { LoadQuotaEvaluator, QuotaEvaluator } from "./quota-evaluator.ts";
import type { RefinementFacts, RegistryOptions, StrategyEnvironment } from "./registry-options.ts";
import type { ResourceAccess } from "./resource-access.ts";
import type { ResourceDefinition, Rest } from "./rest.ts";
import type { CodecEnvironment, StorageCodec } from "./storage-codec.ts";
import type { StoredResource } from "./stored-resource.ts";
import type { Strategy } from "./strategy.ts";

/** Sets the defaults of a version. Decoding created the object, so it is changed in place. */
export type Defaulting = (object: MutableKubeObject, gates: FeatureGates) => void;

/** Refines a strategy, depending on the release and its feature gates. */
export type RefineStrategy = (base: Strategy, facts: RefinementFacts) => Strategy;

/** Creates the verbs of a resource that is not stored. */
export type MakeRest = (
  definition: ResourceDefinition,
  options: RegistryOptions,
  access: ResourceAccess,
) => Rest | undefined;

/** Creates the verbs of a subresource with its own behavior. */
export type MakeSubresourceRest = (
  stored: StoredResource,
  definition: ResourceDefinition,
  access: ResourceAccess,
  options: RegistryOptions,
) => Rest;

/** Loads what makes the rows of Tables, which few clients want; undefined for the default printer. */
export type LoadPrinter = (version: string, gates: FeatureGates) => Promise<Printer | undefined>;

/** The rules of one version of a kind. */
export interface VersionRules {
  readonly defaults?: Defaulting;
  readonly strategy?: RefineStrategy;
  /** Conversions by storage version, where fields of the two versions differ in name or place. */
  readonly conversions?: { readonly [storedVersion: string]: OwnConversion | BatchConversion };
}

/** The rules of a subresource. */
export interface SubresourceRules {
  /** The strategy of a subresource that reads and writes the object itself. */
  readonly strategy?: RefineStrategy;
  /** Refinements by version of the endpoint. */
  readonly versions?: { readonly [version: string]: RefineStrategy };
  readonly rest?: MakeSubresourceRest;
  /** The defaults of a kind of its own, by group and version. */
  readonly defaults?: { readonly [groupVersion: string]: Defaulting };
  /** The only fields whose ownership a write through this subresource changes. */
  readonly ownedFields?: readonly string[];
}

/** The names that a definition may use; any for a kind that arrives at run time. */
export interface KindNames {
  readonly group: string;
  readonly resource: string;
  readonly groupVersion: string;
  readonly subresource: string;
}

/**
 * The rules for writing a kind, converting it, and serving its subresources. They are loaded when a request first
 * needs them.
 */
export interface KindRules<Names extends KindNames = KindNames> {
  readonly strategy?: (base: Strategy, environment: StrategyEnvironment) => Strategy;
  /** The verbs of a kind that is not stored. */
  readonly rest?: MakeRest;
  readonly versions?: { readonly [version in Names["groupVersion"]]?: VersionRules };
  readonly subresources?: { readonly [name in Names["subresource"]]?: SubresourceRules };
}

/** What differs in another group that serves the same stored objects. */
export interface Cohabitant {
  readonly fieldAliases?: { readonly [label: string]: string };
}

/**
 * Everything that distinguishes a kind; upstream has it in registry strategies, defaults, validation, conversions,
 * printers and quota evaluators. The generic registry provides what a definition omits. `builtInKind` checks the
 * names of built-in kinds against the catalog.
 */
export interface KindDefinition<Names extends KindNames = KindNames> extends ServedKind {
  /** The group of the stored objects. */
  readonly group: Names["group"];
  readonly resource: Names["resource"];
  readonly kind: string;
  /** Other groups that serve the same stored objects with the same resource name. */
  readonly cohabitants?: { readonly [group in Names["group"]]?: Cohabitant };
  /** `false` for reviews and other kinds that are not stored. */
  readonly isStored?: false;
  readonly fieldSelectors?: FieldSelectorRules;
  readonly printer?: LoadPrinter;
  /** Loaded with the first quota that counts, if it is more than a name. */
  readonly quota?: QuotaEvaluator | LoadQuotaEvaluator;
  /** The path of the template for the pods that the controller of the kind creates. */
  readonly podTemplate?: readonly string[];
  /** Other kinds whose rules the verbs of this kind use. */
  readonly uses?: readonly KindDefinition[];
  /** The codec between the store and the verbs of a version; undefined for a kind whose verbs handle stored objects. */
  readonly codecOf?: (version: string, environment: CodecEnvironment) => StorageCodec;
  /** Tells encodings of this definition from those of an earlier one of the same kind. */
  readonly encodings?: string;
  readonly rules?: () => Promise<KindRules<Names>>;
}
