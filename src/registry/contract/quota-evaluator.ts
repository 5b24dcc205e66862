import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Quantity } from "../../apimachinery/quantity.ts";

/** One condition of a quota's scopes, from `spec.scopes` or `spec.scopeSelector`. */
export interface ScopeRequirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** What a ResourceQuota counts of a kind besides `count/<resource>.<group>`: upstream's `quota.Evaluator`. */
export interface QuotaEvaluator {
  /** The older name of the object count, without `count/`. */
  readonly objectCountName?: string;
  /** Whether an object can use a resource that a quota limits under this name; the object counts always match. */
  readonly matches?: (name: string) => boolean;
  /** What one object uses besides the object counts, by the names of quotas. */
  readonly usage?: (object: KubeObject) => ReadonlyMap<string, Quantity>;
  /** The subresource whose updates can raise the usage of an object, empty for the object itself; no update can without it. */
  readonly chargesUpdateOf?: "" | "resize";
  /** Whether an object no longer counts although it still exists. */
  readonly isFinished?: (object: KubeObject) => boolean;
  /** What an object must specify because a quota limits these names, as a message; empty if nothing is missing. */
  readonly constraints?: (object: KubeObject, limited: readonly string[]) => string;
  /** Whether an object meets a scope requirement. A quota with scopes ignores kinds without this function. */
  readonly matchesScope?: (object: KubeObject, requirement: ScopeRequirement) => boolean;
}

export type LoadQuotaEvaluator = () => Promise<QuotaEvaluator>;

/** The evaluators of a cluster's kinds. */
export interface QuotaEvaluators {
  /** The evaluator of a resource; undefined if quotas count only its objects. */
  readonly evaluatorOf: (gr: GroupResource) => QuotaEvaluator | undefined;
  /** The resources of which quotas limit more than the object count. */
  readonly resources: readonly GroupResource[];
}

export type LoadQuotaEvaluators = () => Promise<QuotaEvaluators>;
