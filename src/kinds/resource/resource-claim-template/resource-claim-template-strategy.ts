import { structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { addClassClaimSpecErrors } from "../classes/claim-validation.ts";
import { addClaimSpecErrors } from "../devices/claim-spec-validation.ts";
import { type DeviceRules, deviceRules } from "../devices/device-rules.ts";
import { withoutDisabledRequests } from "../devices/disabled-requests.ts";
import { addImmutableSpecErrors } from "../devices/immutable-spec-validation.ts";

/** The spec of a template is immutable. */
export function resourceClaimTemplateStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const { gates } = environment;
  const prepare = (template: MutableKubeObject, old: KubeObject | undefined) => {
    const spec = structAt(template, "spec");
    const oldSpec = old && structAt(old, "spec", "spec");
    template["spec"] = { ...spec, spec: withoutDisabledRequests(structAt(spec, "spec"), oldSpec, gates) };
  };
  const strategy: Strategy = {
    ...base,
    prepareForCreate: (template) => prepare(template, undefined),
    validate: (errors, template) =>
      addTemplateErrors(errors, template, deviceRules(environment, template, "new")),
    prepareForUpdate: prepare,
    validateUpdate: (errors, template, old) => {
      addImmutableSpecErrors(errors, template, old, "resource.ResourceClaimTemplateSpec");
      addTemplateErrors(errors, template, deviceRules(environment, template, "stored"));
    },
  };
  return validateAsNewBefore136(strategy, "Namespaced", gates);
}

function addTemplateErrors(errors: Findings, template: KubeObject, rules: DeviceRules): void {
  const addSpecErrors = rules.gates.since("1.31") ? addClaimSpecErrors : addClassClaimSpecErrors;
  addSpecErrors(errors, structAt(template, "spec", "spec"), "spec.spec", rules);
}
