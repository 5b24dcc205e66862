import type { FieldError } from "../../../apimachinery/errors/field.ts";
import { structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { withoutDisabledAdminAccess } from "../devices/admin-access.ts";
import { claimSpecErrors } from "../devices/claim-spec-validation.ts";
import type { ConfigurationAge } from "../devices/device-configuration-validation.ts";
import { deviceFormOf } from "../devices/device-form.ts";
import { immutableSpecErrors } from "../devices/immutable-spec-validation.ts";

/** The spec of a template is immutable. */
export function resourceClaimTemplateStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const prepare = (template: MutableKubeObject, old: KubeObject | undefined) => {
    const spec = structAt(template, "spec");
    const oldSpec = old && structAt(old, "spec", "spec");
    template["spec"] = { ...spec, spec: withoutDisabledAdminAccess(structAt(spec, "spec"), oldSpec, gates) };
  };
  const strategy: Strategy = {
    ...base,
    prepareForCreate: (template) => prepare(template, undefined),
    validate: (template) => templateErrors(template, "new"),
    prepareForUpdate: prepare,
    validateUpdate: (template, old) => [
      ...immutableSpecErrors(template, old, "resource.ResourceClaimTemplateSpec"),
      ...templateErrors(template, "stored"),
    ],
  };
  return validateAsNewBefore136(strategy, "Namespaced", gates);
}

function templateErrors(template: KubeObject, age: ConfigurationAge): readonly FieldError[] {
  return claimSpecErrors(structAt(template, "spec", "spec"), "spec.spec", deviceFormOf(template), age);
}
