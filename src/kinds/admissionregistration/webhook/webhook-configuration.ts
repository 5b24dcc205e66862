import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { validateObjectMeta } from "../../../apimachinery/validation/object-meta-validation.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { type WebhookVersion, webhookErrors, webhookUpdateErrors } from "./webhook-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** Webhooks that look at objects. */
export function validatingWebhookStrategy(base: Strategy): Strategy {
  return webhookStrategy(base, false);
}

/** Webhooks that change objects, and can be asked again. */
export function mutatingWebhookStrategy(base: Strategy): Strategy {
  return webhookStrategy(base, true);
}

/** In v1beta1, webhooks may do more than they say, and share a name. */
export function betaValidatingWebhookStrategy(strategy: Strategy): Strategy {
  return { ...strategy, ...checks(false, "v1beta1") };
}

/** The same of webhooks that change objects. */
export function betaMutatingWebhookStrategy(strategy: Strategy): Strategy {
  return { ...strategy, ...checks(true, "v1beta1") };
}

function webhookStrategy(base: Strategy, mutates: boolean): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "library", update: "own" },
    ...checks(mutates, "v1"),
  };
  return withGeneration(strategy, changed("webhooks"));
}

function checks(mutates: boolean, version: WebhookVersion): Pick<Strategy, "validate" | "validateUpdate"> {
  return {
    validate: (object) => webhookErrors(object, mutates, version),
    validateUpdate: (object, old) => [
      ...validateObjectMeta(object.metadata, metadataRules),
      ...webhookUpdateErrors(object, old, mutates, version),
    ],
  };
}
