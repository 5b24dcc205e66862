import type { AdmissionAttributes, AdmissionPlugin, MutatingAttributes } from "./contract/admission.ts";
import { inTurn } from "./contract/in-turn.ts";

/** The plugins in upstream's order: first all of them mutate, perhaps twice, then all of them validate. */
export interface AdmissionChain {
  readonly admit: (attributes: MutatingAttributes) => Promise<void> | void;
  readonly validate: (attributes: AdmissionAttributes) => Promise<void> | void;
}

/** The chain of these plugins. It is synchronous unless a plugin returns a promise. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  const admitOnce = (attributes: MutatingAttributes) =>
    inTurn(plugins, (plugin) => {
      if (plugin.handles(attributes.operation)) return plugin.admit?.(attributes);
      return undefined;
    });
  return {
    admit: (attributes) => {
      const pending = admitOnce(attributes);
      if (pending !== undefined) return pending.then(() => admitAgain(attributes, admitOnce));
      return admitAgain(attributes, admitOnce);
    },
    validate: (attributes) =>
      inTurn(plugins, (plugin) => {
        if (plugin.handles(attributes.operation)) return plugin.validate?.(attributes);
        return undefined;
      }),
  };
}

/** The second run, if a plugin asked for it. Upstream: apiserver, pkg/admission/reinvocation.go. */
function admitAgain(
  attributes: MutatingAttributes,
  admitOnce: AdmissionChain["admit"],
): Promise<void> | void {
  const { reinvocation } = attributes;
  if (reinvocation === undefined || !reinvocation.shouldReinvoke) return;
  reinvocation.isReinvoke = true;
  return admitOnce(attributes);
}

/** A chain that rejects every request. @throws the error that `refuse` returns */
export function refusingChain(refuse: (attributes: AdmissionAttributes) => Error): AdmissionChain {
  const admit = (attributes: AdmissionAttributes): never => {
    throw refuse(attributes);
  };
  return { admit, validate: admit };
}
