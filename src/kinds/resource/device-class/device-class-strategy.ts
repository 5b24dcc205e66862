import { listAt, structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { addBoundedListErrors } from "../devices/bounded-list-validation.ts";
import { addDeviceConfigurationErrors } from "../devices/device-configuration-validation.ts";
import { addSelectorErrors } from "../devices/device-request-validation.ts";

const maxConfigurations = 32;

/** Upstream: pkg/apis/resource/validation/validation.go, ValidateDeviceClass. */
export function deviceClassStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy: Strategy = {
    ...withGeneration(base, changed("spec")),
    validate: addClassErrors,
    validateUpdate: addClassErrors,
  };
  return validateAsNewBefore136(strategy, "Cluster", gates);
}

function addClassErrors(errors: Findings, deviceClass: KubeObject): void {
  const spec = structAt(deviceClass, "spec");
  addSelectorErrors(errors, listAt(spec, "selectors"), "spec.selectors");
  addBoundedListErrors(
    errors,
    listAt(spec, "config"),
    maxConfigurations,
    "spec.config",
    (errors, config, at) => addDeviceConfigurationErrors(errors, config, at, "new"),
  );
}
