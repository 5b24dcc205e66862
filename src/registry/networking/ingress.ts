import { textAt } from "../../apimachinery/fields.ts";
import { type KubeObject, section } from "../../apimachinery/object-meta.ts";
import { changed, withGeneration } from "../default-strategy.ts";
import type { StrategyFacts } from "../registry-options.ts";
import type { Strategy } from "../strategy.ts";
import { statusStrategy } from "../subresource/status.ts";
import {
  ingressClassAnnotation,
  ingressErrors,
  ingressStatusErrors,
  ingressUpdateErrors,
} from "./ingress-validation.ts";

/** Ingresses lead traffic to services. */
export function ingressStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const hasRelaxedNames = gates.isEnabled("RelaxedServiceNameValidation");
  return {
    ...withGeneration(base, changed("spec")),
    validate: (ingress) => ingressErrors(ingress, hasRelaxedNames),
    validateUpdate: (ingress, old) => ingressUpdateErrors(ingress, old, hasRelaxedNames),
    warningsOnCreate: classWarnings,
  };
}

/** `/status` says what a load balancer gives. */
export function ingressStatusStrategy(base: Strategy): Strategy {
  return { ...statusStrategy(base), validateUpdate: ingressStatusErrors };
}

function classWarnings(ingress: KubeObject): readonly string[] {
  const isAnnotated = ingress.metadata.annotations?.[ingressClassAnnotation] !== undefined;
  if (!isAnnotated || textAt(section(ingress, "spec"), "ingressClassName") !== "") return [];
  return [`annotation "${ingressClassAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}
