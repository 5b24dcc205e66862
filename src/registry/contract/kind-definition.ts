import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type {
  BuiltInResource,
  GroupsOf,
  GroupVersionsOf,
  SubresourcesOf,
} from "../../catalog/built-in-names.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Printer } from "../../codec/tables/printer.ts";
import type { FieldSelectorRules } from "./field-selectors.ts";
import type { OwnConversion } from "./own-conversion.ts";
import type { QuotaEvaluator } from "./quota-evaluator.ts";
import type { RegistryOptions, StrategyEnvironment, StrategyFacts } from "./registry-options.ts";
import type { ResourceAccess } from "./resource-access.ts";
import type { ResourceDefinition, Rest } from "./rest.ts";
import type { StoredResource } from "./stored-resource.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Fills in what upstream's server writes where a client left it open, in the version of the endpoint. The object must
 * come fresh from decoding: it is changed in place.
 */
export type Defaulting = (object: MutableKubeObject, gates: FeatureGates) => void;

/** Refines a strategy by what the release and its gates say. */
export type RefineStrategy = (base: Strategy, facts: StrategyFacts) => Strategy;

/** Makes the verbs of a resource that is answered and not stored. */
export type MakeRest = (
  definition: ResourceDefinition,
  options: RegistryOptions,
  access: ResourceAccess,
) => Rest | undefined;

/** Makes the verbs of a subresource that does something of its own. */
export type MakeSubresourceRest = (
  stored: StoredResource,
  definition: ResourceDefinition,
  access: ResourceAccess,
  options: RegistryOptions,
) => Rest;

/** What one version of a kind does differently. */
export interface VersionRules {
  readonly defaults?: Defaulting;
  readonly strategy?: RefineStrategy;
  /** By the group and version that is stored, where the fields of the two versions have other names or places. */
  readonly conversions?: { readonly [storedVersion: string]: OwnConversion };
}

/** What a subresource does that no other does. */
export interface SubresourceRules {
  /** The strategy of a subresource that reads and writes the object itself. */
  readonly strategy?: RefineStrategy;
  /** The same where a version of the endpoint differs. */
  readonly versions?: { readonly [version: string]: RefineStrategy };
  readonly rest?: MakeSubresourceRest;
  /** The defaults of a kind of its own, by group and version. */
  readonly defaults?: { readonly [groupVersion: string]: Defaulting };
  /** The only fields that a write through this subresource owns. */
  readonly ownedFields?: readonly string[];
}

/** What is needed to write a kind, to convert it, or to serve its subresources; loaded when a request first needs it. */
export interface KindRules<R extends string = string> {
  readonly strategy?: (base: Strategy, environment: StrategyEnvironment) => Strategy;
  /** The verbs of a kind that is not stored. */
  readonly rest?: MakeRest;
  readonly versions?: {
    readonly [GV in R extends BuiltInResource ? GroupVersionsOf<R> : string]?: VersionRules;
  };
  readonly subresources?: {
    readonly [S in R extends BuiltInResource ? SubresourcesOf<R> : string]?: SubresourceRules;
  };
}

/** What another group does differently that serves the same stored objects. */
export interface Cohabitant {
  readonly fieldAliases?: { readonly [label: string]: string };
}

/**
 * Everything that makes a kind differ from all others: what upstream spreads over its registry strategies, defaults,
 * validation, conversions, printers and quota evaluators. What a definition leaves out, the generic registry does.
 * Names of built-in kinds are checked against the catalog by `builtInKind`.
 */
export interface KindDefinition<R extends string = string> {
  /** The group under which the objects are stored. */
  readonly group: R extends BuiltInResource ? GroupsOf<R> : string;
  readonly resource: R;
  readonly kind: string;
  /** Other groups that serve the same stored objects under the same name of the resource. */
  readonly cohabitants?: {
    readonly [G in R extends BuiltInResource ? GroupsOf<R> : string]?: Cohabitant;
  };
  /** Whether objects are kept; `false` for reviews and the like, which are only answered. */
  readonly isStored?: false;
  readonly fieldSelectors?: FieldSelectorRules;
  readonly printer?: Printer;
  /** The printer of newer releases, by the release that brought it. */
  readonly newerPrinter?: { readonly since: `1.${number}`; readonly printer: Printer };
  readonly quota?: QuotaEvaluator;
  /** Where the template of the pods stands that the kind's controller creates. */
  readonly podTemplate?: readonly string[];
  /** Other kinds whose rules the verbs of this kind need. */
  readonly uses?: readonly KindDefinition[];
  readonly rules?: () => Promise<KindRules<R>>;
}

/** A kind of the catalog: its names compile only if some release has them. */
export function builtInKind<const R extends BuiltInResource>(definition: KindDefinition<R>): KindDefinition {
  // Every name is a string, and the rules of the kind are looked up by the names that it has.
  return definition as unknown as KindDefinition;
}
