import type { Release } from "../../apimachinery/release.ts";
import type { Authorizer } from "../../authorization/contract/authorizer.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { AdmissionMetrics } from "../contract/admission-metrics.ts";
import type { SelectionContext } from "../matching/criteria.ts";
import type { CallEnvironment } from "./webhook-call.ts";

/** What the dispatchers of webhooks depend on. */
export interface DispatchEnvironment extends SelectionContext, CallEnvironment {
  readonly release: Release;
  readonly gates: FeatureGates;
  readonly authorize: Authorizer;
  readonly metrics: AdmissionMetrics;
  readonly newUid: () => string;
}
