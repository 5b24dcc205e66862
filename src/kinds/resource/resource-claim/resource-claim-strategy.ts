import { structAt } from "../../../apimachinery/fields.ts";
import { type Edit, editedAt, editedEach, without } from "../../../apimachinery/object-edits.ts";
import { withPreparation } from "../../../registry/contract/default-strategy.ts";
import { type GatedFields, gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyEnvironment, StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { addClassClaimStatusErrors } from "../classes/claim-status-validation.ts";
import { addClassClaimSpecErrors } from "../classes/claim-validation.ts";
import { addClaimSpecErrors } from "../devices/claim-spec-validation.ts";
import { deviceRules } from "../devices/device-rules.ts";
import { withoutDisabledRequests } from "../devices/disabled-requests.ts";
import { addImmutableSpecErrors } from "../devices/immutable-spec-validation.ts";
import { controllerStatusFields } from "./controller-status-fields.ts";
import { addClaimStatusErrors } from "./resource-claim-status-validation.ts";

/** Upstream: pkg/registry/resource/resourceclaim/strategy.go, dropDisabledStatusFields. */
const gatedStatusFields: readonly GatedFields[] = [
  gatedField("DRAResourceClaimDeviceStatus", "status", "devices"),
  { gate: "DRAAdminAccess", drop: ofResults("adminAccess") },
  {
    gate: "DRAConsumableCapacity",
    drop: (claim) => {
      const edited = ofResults("shareID", "consumedCapacity")(claim);
      return ofStatus((status) => editedEach(status, "devices", (device) => without(device, ["shareID"])))(
        edited,
      );
    },
  },
  ...controllerStatusFields,
  { gate: "DRADeviceBindingConditions", drop: ofResults("bindingConditions", "bindingFailureConditions") },
];

/** The controller of a claim, which exists in 1.31 behind its gate, and in earlier releases without. */
const controllerField: GatedFields = {
  ...gatedField("DRAControlPlaneController", "spec", "controller"),
  since: "1.31",
};

/** The spec of a claim is immutable. */
export function resourceClaimStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const { gates } = environment;
  const addSpecErrors = gates.since("1.31") ? addClaimSpecErrors : addClassClaimSpecErrors;
  const strategy: Strategy = {
    ...withPreparation(withGatedFields(base, gates, [controllerField]), (claim, old) => {
      const oldSpec = old && structAt(old, "spec");
      claim["spec"] = withoutDisabledRequests(structAt(claim, "spec"), oldSpec, gates);
    }),
    validate: (errors, claim) =>
      addSpecErrors(errors, structAt(claim, "spec"), "spec", deviceRules(environment, claim, "new")),
    validateUpdate: (errors, claim, old) => {
      addImmutableSpecErrors(errors, claim, old, "resource.ResourceClaimSpec");
      addSpecErrors(errors, structAt(claim, "spec"), "spec", deviceRules(environment, claim, "stored"));
    },
  };
  return validateAsNewBefore136(strategy, "Namespaced", gates);
}

/** `/status` holds the allocated devices of a claim and its consumers. */
export function resourceClaimStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGatedFields(statusStrategy(base), gates, gatedStatusFields),
    validateUpdate: (errors, claim, old) => {
      if (gates.since("1.31")) addClaimStatusErrors(errors, claim, old, gates.since("1.33") ? 256 : 32);
      else addClassClaimStatusErrors(errors, claim, old);
    },
  };
}

function ofStatus(edit: Edit): Edit {
  return (claim) => editedAt(claim, "status", edit);
}

function ofResults(...fields: readonly string[]): Edit {
  return ofStatus((status) =>
    editedAt(status, "allocation", (allocation) =>
      editedAt(allocation, "devices", (devices) =>
        editedEach(devices, "results", (result) => without(result, fields)),
      ),
    ),
  );
}
