import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { validateObjectMeta } from "../../../apimachinery/validation/object-meta-validation.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  type WebhookType,
  type WebhookVersion,
  webhookConfigurationErrors,
  webhookConfigurationUpdateErrors,
} from "./webhook-configuration-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** The strategy of a validating or mutating webhook configuration. */
export function webhookConfigurationStrategy(base: Strategy, type: WebhookType): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "library", update: "own" },
    ...validations(type, "v1"),
  };
  return withGeneration(strategy, changed("webhooks"));
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
    validate: (object) => webhookConfigurationErrors(object, type, version),
    validateUpdate: (object, old) => [
      ...validateObjectMeta(object.metadata, metadataRules),
      ...webhookConfigurationUpdateErrors(object, old, type, version),
    ],
  };
}
