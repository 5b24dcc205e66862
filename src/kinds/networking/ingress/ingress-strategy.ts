import { structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { ingressFromBeta } from "./ingress-backends.ts";
import {
  addIngressErrors,
  addIngressStatusErrors,
  addIngressUpdateErrors,
  type IngressRelease,
  ingressClassAnnotation,
} from "./ingress-validation.ts";

/** The strategy of Ingresses. */
export function ingressStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const hasRelaxedNames = gates.isEnabled("RelaxedServiceNameValidation");
  const mayRepeatClass = gates.since("1.27");
  return {
    ...withGeneration(base, changed("spec")),
    ...validationOf({
      hasRelaxedNames,
      mayRepeatClass,
      assumesService: false,
      hasPathTypes: true,
      isBeta: false,
    }),
    warningsOnCreate: classWarnings,
  };
}

/**
 * The strategy of v1beta1, which has other field names for backends and accepts more secret names and rules than v1.
 */
export function betaIngressStrategy(strategy: Strategy, { gates }: StrategyFacts): Strategy {
  const assumesService = !gates.since("1.19");
  const hasPathTypes = gates.since("1.18");
  const loose = { hasRelaxedNames: false, mayRepeatClass: false, isBeta: true };
  return { ...strategy, ...validationOf({ ...loose, assumesService, hasPathTypes }) };
}

function validationOf(release: IngressRelease): Pick<Strategy, "validate" | "validateUpdate"> {
  return {
    validate: (errors, ingress) => addIngressErrors(errors, asV1(ingress), release),
    validateUpdate: (errors, ingress, old) =>
      addIngressUpdateErrors(errors, asV1(ingress), asV1(old), release),
  };
}

/** 1.19 serves v1, but stores v1beta1 so that 1.18 can read it. */
function asV1(ingress: KubeObject): KubeObject {
  return ingress.apiVersion.endsWith("/v1beta1") ? ingressFromBeta(ingress) : ingress;
}

/** The strategy of `/status`. */
export function ingressStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...statusStrategy(base),
    validateUpdate: (errors, ingress, old) => addIngressStatusErrors(errors, ingress, old, gates),
  };
}

function classWarnings(ingress: KubeObject): readonly string[] {
  const isAnnotated = ingress.metadata.annotations?.[ingressClassAnnotation] !== undefined;
  if (!isAnnotated || textAt(structAt(ingress, "spec"), "ingressClassName") !== "") return [];
  return [`annotation "${ingressClassAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}
