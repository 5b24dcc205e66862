import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { inTurn } from "../contract/in-turn.ts";
import { record } from "../contract/notes.ts";
import type { RequestVariables } from "../expressions/activation.ts";
import { AuthorizerChecks } from "../expressions/authorizer-checks.ts";
import type { Dispatcher } from "../plugins/dynamic-plugin.ts";
import { countConditions } from "./condition-metrics.ts";
import type { ConfigurationFailure, Invocation, PolicyStep } from "./invocations.ts";
import { policyDispatcher } from "./policy-dispatcher.ts";
import { PolicyEffects } from "./policy-effects.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";
import type { PolicyBinding, StoredPolicy } from "./policy-hooks.ts";
import { policyStep } from "./policy-step.ts";
import { conversionProblem, RequestObjects } from "./request-objects.ts";
import { type ValidatingPolicy, validatingPolicy } from "./validating-policy.ts";
import { type ValidationResult, validated } from "./validation.ts";

const plugin = "ValidatingAdmissionPolicy";

/** Asks validating policies one after the other. Upstream: apiserver, plugin/policy/validating/dispatcher.go. */
export function validatingPolicies(environment: PolicyEnvironment): Dispatcher<AdmissionAttributes> {
  return policyDispatcher(environment, {
    resources: { policies: "validatingadmissionpolicies", bindings: "validatingadmissionpolicybindings" },
    compile: (policy) => validatingPolicy(policy, environment),
    decide: (attributes, steps) => {
      const review = new Review(attributes, environment);
      const pending = inTurn(steps, (step) => review.visit(step));
      return pending === undefined
        ? review.effects.conclude()
        : pending.then(() => review.effects.conclude());
    },
  });
}

/** The decisions about one request. */
class Review {
  readonly effects: PolicyEffects;
  readonly #attributes: AdmissionAttributes;
  readonly #environment: PolicyEnvironment;
  readonly #checks: AuthorizerChecks;
  readonly #objects: RequestObjects;

  constructor(attributes: AdmissionAttributes, environment: PolicyEnvironment) {
    this.#attributes = attributes;
    this.#environment = environment;
    this.#checks = new AuthorizerChecks(attributes.user, environment.authorize);
    this.#objects = new RequestObjects(attributes, environment, this.#checks);
    this.effects = new PolicyEffects(attributes, environment.metrics);
  }

  visit(step: PolicyStep<ValidatingPolicy>): Promise<void> | void {
    if ("problem" in step) return this.#fail(step);
    const { params } = step;
    if (params?.objects.length === 0) return;
    const isReady = this.#objects.variablesIn(step.version);
    const objects = params === undefined ? undefined : this.#objects.params(params);
    if (!(isReady instanceof Promise || objects instanceof Promise)) {
      return this.#decideAll(step, isReady, objects);
    }
    return Promise.all([isReady, objects]).then(
      ([variables, all]) => this.#decideAll(step, variables, all),
      (error: unknown) => this.#fail({ ...step, problem: conversionProblem(error) }),
    );
  }

  #fail({ policy, binding, problem }: ConfigurationFailure<ValidatingPolicy>): void {
    const outcome = policy.ignoresFailures ? "failedOpen" : "failed";
    const source = binding?.name ?? "";
    record(this.#attributes, {
      plugin,
      phase: "validate",
      name: policy.name,
      source,
      outcome,
      message: problem,
      cost: 0,
    });
    if (policy.ignoresFailures) return;
    this.effects.addConfigurationFailure(policy.name, binding?.name, problem);
  }

  #decideAll(
    invocation: Invocation<ValidatingPolicy>,
    variables: RequestVariables,
    params: readonly KubeObject[] | undefined,
  ): Promise<void> | void {
    return inTurn(params ?? [null], (param) => this.#decide(invocation, variables, param));
  }

  #decide(
    { policy, binding }: Invocation<ValidatingPolicy>,
    shared: RequestVariables,
    params: KubeObject | null,
  ): Promise<void> | void {
    const { compiled, name, ignoresFailures } = policy;
    const input = { shared, further: this.#objects.further(params), variables: compiled.variables };
    const onFailure = ignoresFailures ? "ignore" : "deny";
    const result = this.#checks.evaluate(() => validated(compiled, input, onFailure));
    const apply = (known: ValidationResult) => {
      this.effects.addResult(name, binding, known);
      this.#note(policy, binding, known);
    };
    if (result instanceof Promise) return result.then(apply);
    apply(result);
  }

  #note(policy: StoredPolicy<ValidatingPolicy>, binding: PolicyBinding, result: ValidationResult): void {
    const { name, compiled } = policy;
    const { decisions, match } = result;
    const isExcluded = match?.matches === false && decisions.length === 0;
    if (match !== undefined) {
      const { metrics } = this.#environment;
      countConditions(metrics, name, this.#attributes.operation, match, isExcluded ? 1 : 0);
    }
    if (this.#attributes.notes === undefined) return;
    // Written out, because copying members costs more than a policy that allows the request.
    const { outcome, message, cost, expressions } = policyStep(compiled.validations, binding.actions, result);
    const source = binding.name;
    const phase = "validate";
    record(this.#attributes, { plugin, phase, name, source, outcome, message, cost, expressions });
  }
}
