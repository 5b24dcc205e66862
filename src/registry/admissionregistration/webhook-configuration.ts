import { dnsSubdomainName } from "../../apimachinery/names.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { validateObjectMeta } from "../../apimachinery/object-meta-validation.ts";
import { changed, withGeneration } from "../default-strategy.ts";
import type { Strategy } from "../strategy.ts";
import { webhookErrors, webhookUpdateErrors } from "./webhook-validation.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };

/** Webhooks that look at objects. */
export function validatingWebhookStrategy(base: Strategy): Strategy {
  return webhookStrategy(base, false);
}

/** Webhooks that change objects, and can be asked again. */
export function mutatingWebhookStrategy(base: Strategy): Strategy {
  return webhookStrategy(base, true);
}

function webhookStrategy(base: Strategy, mutates: boolean): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "library", update: "own" },
    validate: (object: KubeObject) => webhookErrors(object, mutates),
    validateUpdate: (object, old) => [
      ...validateObjectMeta(object.metadata, metadataRules),
      ...webhookUpdateErrors(object, old, mutates),
    ],
  };
  return withGeneration(strategy, changed("webhooks"));
}
