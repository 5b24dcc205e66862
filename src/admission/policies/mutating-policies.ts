import type { MutatingAttributes } from "../contract/admission.ts";
import type { Dispatcher } from "../plugins/dynamic-plugin.ts";
import { mutatingPolicy } from "./mutating-policy.ts";
import { MutatingRun } from "./mutating-run.ts";
import { policyDispatcher } from "./policy-dispatcher.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";

/** Lets mutating policies change the object one after the other. Upstream: apiserver, plugin/policy/mutating/dispatcher.go. */
export function mutatingPolicies(environment: PolicyEnvironment): Dispatcher<MutatingAttributes> {
  return policyDispatcher(environment, {
    resources: { policies: "mutatingadmissionpolicies", bindings: "mutatingadmissionpolicybindings" },
    compile: (policy) => mutatingPolicy(policy, environment.release),
    decide: async (attributes: MutatingAttributes, steps) => {
      const run = new MutatingRun(attributes, environment);
      for (const step of steps) await run.prepare(step);
      await run.mutate();
    },
  });
}
