import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import type { Dispatcher } from "../plugins/dynamic-plugin.ts";
import { type PolicyStep, policySteps } from "./invocations.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";
import { PolicyHooks, type PolicyResources } from "./policy-hooks.ts";
import { RelevantHooks } from "./relevant-hooks.ts";
import { isUnreviewed } from "./unreviewed.ts";

/** What distinguishes validating from mutating policies. */
interface PolicyType<A extends AdmissionAttributes, P> {
  readonly resources: PolicyResources;
  readonly compile: (policy: KubeObject) => P;
  /** Called if a policy selects the request. @throws {StatusError} the refusal */
  readonly decide: (attributes: A, steps: readonly PolicyStep<P>[]) => Promise<void> | void;
}

/** Finds the policies that select a request. Upstream: apiserver, plugin/policy/generic/policy_dispatcher.go. */
export function policyDispatcher<A extends AdmissionAttributes, P>(
  environment: PolicyEnvironment,
  { resources, compile, decide }: PolicyType<A, P>,
): Dispatcher<A> {
  const hooks = new PolicyHooks(resources, compile);
  const relevant = new RelevantHooks<P>(environment);
  return {
    dispatch: (attributes, objects) => {
      const own = relevant.of(hooks.of(objects), attributes);
      if (own.length === 0 || isUnreviewed(attributes)) return;
      const steps = policySteps(own, attributes, environment);
      if (steps.length > 0) return decide(attributes, steps);
    },
  };
}
