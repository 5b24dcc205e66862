import { listAt } from "../../../apimachinery/fields.ts";
import { editedEach } from "../../../apimachinery/object-edits.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addObjectMetaErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import { expressionRelease } from "../../../catalog/effective-version.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, withGeneration, withPreparation } from "../../../registry/contract/default-strategy.ts";
import { gatedField } from "../../../registry/contract/gated-fields.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addWebhookConfigurationErrors,
  addWebhookConfigurationUpdateErrors,
  type WebhookType,
  type WebhookVersion,
} from "./webhook-configuration-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** The strategy of a validating or mutating webhook configuration. */
export function webhookConfigurationStrategy(
  base: Strategy,
  type: WebhookType,
  { served, gates }: StrategyEnvironment,
): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "library", update: "own" },
    ...validations(type, { release: expressionRelease(served.current.catalog.version) }),
  };
  return withGeneration(withoutDisabledConditions(strategy, gates), changed("webhooks"));
}

const gatedConditions = gatedField("AdmissionWebhookMatchConditions", "matchConditions");

/** The gate of match conditions is off in 1.27. The webhooks of the old object count together. */
function withoutDisabledConditions(strategy: Strategy, { isEnabled }: FeatureGates): Strategy {
  if (isEnabled(gatedConditions.gate)) return strategy;
  return withPreparation(strategy, (object, old) => {
    if (old !== undefined && listAt(old, "webhooks").some((hook) => hook["matchConditions"])) return;
    const { webhooks } = editedEach(object, "webhooks", gatedConditions.drop);
    if (webhooks !== undefined) object["webhooks"] = webhooks;
  });
}

/** The same for the v1beta1 endpoint, where webhooks may have side effects and duplicate names. */
export function betaWebhookConfigurationStrategy(strategy: Strategy, type: WebhookType): Strategy {
  return { ...strategy, ...validations(type, "v1beta1") };
}

function validations(
  type: WebhookType,
  version: WebhookVersion,
): Pick<Strategy, "validate" | "validateUpdate"> {
  return {
    validate: (errors, object) => addWebhookConfigurationErrors(errors, object, type, version),
    validateUpdate: (errors, object, old) => {
      addObjectMetaErrors(errors, object.metadata, metadataRules);
      addWebhookConfigurationUpdateErrors(errors, object, old, type, version);
    },
  };
}
