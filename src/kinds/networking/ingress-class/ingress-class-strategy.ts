import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { controllerChangeErrors, ingressClassErrors } from "./ingress-class-validation.ts";

const namespacedParameters = ["scope", "namespace"].map((field) =>
  gatedField("IngressClassNamespacedParams", "spec", "parameters", field),
);

/** The strategy of IngressClasses, whose controller is immutable. */
export function ingressClassStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGeneration(withGatedFields(base, gates, namespacedParameters), changed("spec")),
    validate: ingressClassErrors,
    validateUpdate: (ingressClass, old) => [
      ...controllerChangeErrors(ingressClass, old),
      ...metadataErrors(ingressClass, { namespaced: false, validateName: dnsSubdomainName }),
      ...ingressClassErrors(ingressClass),
    ],
  };
}
