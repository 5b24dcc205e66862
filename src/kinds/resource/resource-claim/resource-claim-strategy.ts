import { structAt } from "../../../apimachinery/fields.ts";
import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { withPreparation } from "../../../registry/contract/default-strategy.ts";
import type { StrategyEnvironment, StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addClaimSpecErrors } from "../devices/claim-spec-validation.ts";
import { deviceRules } from "../devices/device-rules.ts";
import { withoutDisabledRequests } from "../devices/disabled-requests.ts";
import { addImmutableSpecErrors } from "../devices/immutable-spec-validation.ts";
import { addClaimStatusErrors } from "./resource-claim-status-validation.ts";

/** The spec of a claim is immutable. */
export function resourceClaimStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const { gates } = environment;
  const strategy: Strategy = {
    ...withPreparation(base, (claim, old) => {
      const oldSpec = old && structAt(old, "spec");
      claim["spec"] = withoutDisabledRequests(structAt(claim, "spec"), oldSpec, gates);
    }),
    validate: (errors, claim) =>
      addClaimSpecErrors(errors, structAt(claim, "spec"), "spec", deviceRules(environment, claim, "new")),
    validateUpdate: (errors, claim, old) => {
      addImmutableSpecErrors(errors, claim, old, "resource.ResourceClaimSpec");
      addClaimSpecErrors(errors, structAt(claim, "spec"), "spec", deviceRules(environment, claim, "stored"));
    },
  };
  return validateAsNewBefore136(strategy, "Namespaced", gates);
}

/** `/status` holds the allocated devices of a claim and its consumers. */
export function resourceClaimStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (claim, old, context) => {
      status.prepareForUpdate(claim, old, context);
      dropDeviceReports(claim, old, gates);
    },
    validateUpdate: (errors, claim, old) =>
      addClaimStatusErrors(errors, claim, old, gates.since("1.33") ? 256 : 32),
  };
}

/** Drops the reports on devices while their gate is off, unless the old status has some. */
function dropDeviceReports(claim: MutableKubeObject, old: KubeObject, gates: FeatureGates): void {
  if (gates.isEnabled("DRAResourceClaimDeviceStatus")) return;
  const status: MutableJsonObject = { ...structAt(claim, "status") };
  if (status["devices"] === undefined || structAt(old, "status")["devices"] !== undefined) return;
  delete status["devices"];
  claim["status"] = status;
}
