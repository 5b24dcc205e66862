import type { Lister } from "../../apimachinery/lister.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

/** What the plugin ServiceAccount needs from the server. */
export interface ServiceAccountEnvironment {
  readonly lister: Lister;
  readonly gates: FeatureGates;
  /** Random characters for the end of a generated name. */
  readonly suffix: (length: number) => string;
  /** Resolves when the controllers have caught up. */
  readonly settle: () => Promise<void>;
}
