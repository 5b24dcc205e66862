import { StatusError } from "../../apimachinery/errors/errors.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import type { ObjectVersion } from "../contract/object-interfaces.ts";
import { type Criteria, selectedVersion } from "../matching/criteria.ts";
import { ConfigurationError, type Params, paramResource, paramsOf } from "./params.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";
import type { PolicyBinding, PolicyHook, StoredPolicy } from "./policy-hooks.ts";

/** A policy that decides about a request because of a binding. */
export interface Invocation<P> {
  readonly policy: StoredPolicy<P>;
  readonly binding: PolicyBinding;
  /** The version in which the policy sees the request. */
  readonly version: ObjectVersion;
  /** Undefined if it decides once, without parameters; otherwise it decides for each of them. */
  readonly params: Params | undefined;
}

/** A policy that cannot decide about a request that it selects. */
export interface ConfigurationFailure<P> {
  readonly policy: StoredPolicy<P>;
  /** Undefined if the failure is that of the policy. */
  readonly binding: PolicyBinding | undefined;
  readonly problem: string;
}

/** What a policy does with a request that it selects. */
export type PolicyStep<P> = Invocation<P> | ConfigurationFailure<P>;

/**
 * What policies do with a request, in their order. Upstream: apiserver, plugin/policy/validating/dispatcher.go and
 * plugin/policy/generic/policy_dispatcher.go.
 */
export function policySteps<P>(
  hooks: readonly PolicyHook<P>[],
  attributes: AdmissionAttributes,
  environment: PolicyEnvironment,
): readonly PolicyStep<P>[] {
  const steps: PolicyStep<P>[] = [];
  for (const { policy, bindings } of hooks) {
    const version = orProblem(() => selectedBy(policy, attributes, environment));
    if (version === undefined) continue;
    if ("problem" in version) {
      steps.push({ policy, binding: undefined, problem: version.problem });
      continue;
    }
    for (const binding of bindings) {
      const step = orProblem(() => invocationOf(policy, binding, version, attributes, environment));
      if (step === undefined) continue;
      steps.push("problem" in step ? { policy, binding, problem: step.problem } : step);
    }
  }
  return steps;
}

/** @throws {ConfigurationError | StatusError} */
function selectedBy<P>(
  { criteria, paramKind }: StoredPolicy<P>,
  attributes: AdmissionAttributes,
  environment: PolicyEnvironment,
): ObjectVersion | undefined {
  const version = selectedVersion(criteria, attributes, environment);
  if (version !== undefined && paramKind !== undefined) paramResource(paramKind, environment);
  return version;
}

/** @throws {ConfigurationError | StatusError} */
function invocationOf<P>(
  policy: StoredPolicy<P>,
  binding: PolicyBinding,
  version: ObjectVersion,
  attributes: AdmissionAttributes,
  environment: PolicyEnvironment,
): Invocation<P> | undefined {
  if (!isBound(binding.criteria, attributes, environment)) return undefined;
  return { policy, binding, version, params: boundParams(policy, binding, attributes, environment) };
}

function orProblem<T>(run: () => T): T | { readonly problem: string } {
  try {
    return run();
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof StatusError)
      return { problem: error.message };
    throw error;
  }
}

/** A binding without rules selects what its selectors select. @throws {StatusError} */
function isBound(
  criteria: Criteria | undefined,
  attributes: AdmissionAttributes,
  environment: PolicyEnvironment,
): boolean {
  if (criteria === undefined) return true;
  const all = criteria.rules.length === 0 ? { ...criteria, rules: [() => true] } : criteria;
  return selectedVersion(all, attributes, environment) !== undefined;
}

/** Without a kind or a reference, there are no parameters. @throws {ConfigurationError} */
function boundParams<P>(
  { paramKind }: StoredPolicy<P>,
  { paramRef }: PolicyBinding,
  { namespace }: AdmissionAttributes,
  environment: PolicyEnvironment,
): Params | undefined {
  if (paramKind === undefined || paramRef === undefined) return undefined;
  return paramsOf(paramResource(paramKind, environment), paramRef, namespace, environment);
}
