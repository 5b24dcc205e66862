import type { FieldError } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { boundedListErrors } from "../devices/bounded-list-validation.ts";
import { deviceConfigurationErrors } from "../devices/device-configuration-validation.ts";
import { selectorErrors } from "../devices/device-request-validation.ts";

const maxConfigurations = 32;

/** Upstream: pkg/apis/resource/validation/validation.go, ValidateDeviceClass. */
export function deviceClassStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy: Strategy = {
    ...withGeneration(base, changed("spec")),
    validate: classErrors,
    validateUpdate: classErrors,
  };
  return validateAsNewBefore136(strategy, "Cluster", gates);
}

function classErrors(deviceClass: KubeObject): readonly FieldError[] {
  const spec = structAt(deviceClass, "spec");
  return [
    ...selectorErrors(listAt(spec, "selectors"), "spec.selectors"),
    ...boundedListErrors(listAt(spec, "config"), maxConfigurations, "spec.config", (config, at) =>
      deviceConfigurationErrors(config, at, "new"),
    ),
  ];
}
