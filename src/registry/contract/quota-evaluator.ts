import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Quantity } from "../../apimachinery/quantity.ts";

/** What a ResourceQuota counts of a kind beside `count/<resource>.<group>`: upstream's `quota.Evaluator`. */
export interface QuotaEvaluator {
  /** The name that a quota has for the number of objects, from before it counted everything as `count/…`. */
  readonly objectCountName?: string;
  /** Whether an object may use something of what a quota limits under this name. */
  readonly matches?: (name: string) => boolean;
  /** What one object uses, by the names that quotas have for it. */
  readonly usage?: (object: KubeObject) => ReadonlyMap<string, Quantity>;
}
