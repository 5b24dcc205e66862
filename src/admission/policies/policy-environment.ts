import type { Release } from "../../apimachinery/release.ts";
import type { Authorizer } from "../../authorization/contract/authorizer.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { AdmissionMetrics } from "../contract/admission-metrics.ts";
import type { SelectionContext } from "../matching/criteria.ts";
import type { ResourceOfKind } from "../plugins/owner-references.ts";

/** What the dispatchers of policies depend on. */
export interface PolicyEnvironment extends SelectionContext {
  readonly release: Release;
  readonly authorize: Authorizer;
  readonly gates: FeatureGates;
  readonly metrics: AdmissionMetrics;
  /** Finds the resource of the kind that a policy names as that of its parameters. */
  readonly resourceOfKind: ResourceOfKind;
}
