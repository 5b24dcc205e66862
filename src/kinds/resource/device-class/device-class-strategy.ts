import { listAt, structAt } from "../../../apimachinery/fields.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { addBoundedListErrors } from "../devices/bounded-list-validation.ts";
import { addDeviceConfigurationErrors } from "../devices/device-configuration-validation.ts";
import { deviceRules } from "../devices/device-rules.ts";
import { addSelectorErrors } from "../devices/device-selector-validation.ts";

const maxConfigurations = 32;

const gatedFields = [
  gatedField("DRAExtendedResource", "spec", "extendedResourceName"),
  gatedField("DRAControlPlaneController", "spec", "suitableNodes"),
];

/** Upstream: pkg/apis/resource/validation/validation.go, ValidateDeviceClass. */
export function deviceClassStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const strategy: Strategy = {
    ...withGatedFields(withGeneration(base, changed("spec")), environment.gates, gatedFields),
    validate: (errors, deviceClass) => addClassErrors(errors, deviceClass, undefined, environment),
    validateUpdate: (errors, deviceClass, old) => addClassErrors(errors, deviceClass, old, environment),
  };
  return validateAsNewBefore136(strategy, "Cluster", environment.gates);
}

function addClassErrors(
  errors: Findings,
  deviceClass: KubeObject,
  old: KubeObject | undefined,
  environment: StrategyEnvironment,
): void {
  const spec = structAt(deviceClass, "spec");
  // A list counts as stored as a whole; a change in its order makes all of its items new.
  const ageOf = (list: string) =>
    old !== undefined && jsonEqual(listAt(spec, list), listAt(old, "spec", list)) ? "stored" : "new";
  const rules = deviceRules(environment, deviceClass, ageOf("selectors"));
  addSelectorErrors(errors, listAt(spec, "selectors"), "spec.selectors", rules);
  const configurationAge = ageOf("config");
  addBoundedListErrors(
    errors,
    listAt(spec, "config"),
    maxConfigurations,
    "spec.config",
    (errors, config, at) => addDeviceConfigurationErrors(errors, config, at, configurationAge),
  );
}
