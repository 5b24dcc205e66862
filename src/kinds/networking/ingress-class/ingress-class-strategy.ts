import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addControllerChangeErrors, addIngressClassErrors } from "./ingress-class-validation.ts";

const namespacedParameters = ["scope", "namespace"].map((field) =>
  gatedField("IngressClassNamespacedParams", "spec", "parameters", field),
);

/** The strategy of IngressClasses, whose controller is immutable. */
export function ingressClassStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGeneration(withGatedFields(base, gates, namespacedParameters), changed("spec")),
    validate: addIngressClassErrors,
    validateUpdate: (errors, ingressClass, old) => {
      addControllerChangeErrors(errors, ingressClass, old);
      addMetadataErrors(errors, ingressClass, { namespaced: false, validateName: dnsSubdomainName });
      addIngressClassErrors(errors, ingressClass);
    },
  };
}
