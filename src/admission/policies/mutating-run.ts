import { StatusError } from "../../apimachinery/errors/errors.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { loadCompare } from "../../patch/json-differences.ts";
import type { EvaluatedExpression } from "../../request/request-notes.ts";
import type { MutatingAttributes } from "../contract/admission.ts";
import { exclusion, record } from "../contract/notes.ts";
import { ReinvocationContext } from "../contract/reinvocation.ts";
import type { RequestVariables } from "../expressions/activation.ts";
import { AuthorizerChecks } from "../expressions/authorizer-checks.ts";
import { countConditions } from "./condition-metrics.ts";
import { costBudget, ExpressionRun, type RunInput } from "./expression-run.ts";
import type { ConfigurationFailure, Invocation, PolicyStep } from "./invocations.ts";
import { MutatedVersions } from "./mutated-versions.ts";
import type { MutatingPolicy, Mutation } from "./mutating-policy.ts";
import { type MutationResult, mutate } from "./mutation.ts";
import { MutationFailures } from "./mutation-failures.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";
import { RequestObjects } from "./request-objects.ts";

const plugin = "MutatingAdmissionPolicy";

/** A policy that may change the object, with one of its parameters. */
interface Call extends Invocation<MutatingPolicy> {
  readonly param: KubeObject | null;
}

/** What the conditions and mutations of a call have led to. */
interface CallNotes {
  readonly problems: string[];
  cost: number;
  /** The condition that excludes the request. */
  expressions?: readonly EvaluatedExpression[];
  /** What the mutations changed. */
  patch?: readonly JsonObject[];
}

/** The policies in one run of the mutating phase. */
export class MutatingRun {
  readonly #attributes: MutatingAttributes;
  readonly #environment: PolicyEnvironment;
  readonly #reinvocation: ReinvocationContext;
  readonly #checks: AuthorizerChecks;
  readonly #objects: RequestObjects;
  readonly #versions: MutatedVersions;
  readonly #failures: MutationFailures;
  readonly #calls: Call[] = [];

  constructor(attributes: MutatingAttributes, environment: PolicyEnvironment) {
    attributes.reinvocation ??= new ReinvocationContext();
    this.#reinvocation = attributes.reinvocation;
    this.#attributes = attributes;
    this.#environment = environment;
    this.#checks = new AuthorizerChecks(attributes.user, environment.authorize);
    this.#objects = new RequestObjects(attributes, environment, this.#checks);
    this.#versions = new MutatedVersions(this.#objects, environment.objects);
    this.#failures = new MutationFailures(attributes);
  }

  /** Reads what a policy needs. All policies are prepared before the first one changes the object. */
  async prepare(step: PolicyStep<MutatingPolicy>): Promise<void> {
    if ("problem" in step) return this.#fail(step);
    const { policy, version, params } = step;
    try {
      await this.#objects.variablesIn(version);
      const objects = params === undefined ? [null] : await this.#objects.params(params);
      for (const param of objects) this.#calls.push({ ...step, param });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#fail({ policy, binding: undefined, problem: error.message });
    }
  }

  /** @throws {StatusError} */
  async mutate(): Promise<void> {
    if (this.#calls.length > 0) await this.#mutateAll();
    this.#failures.conclude();
  }

  get #previous(): ReturnType<ReinvocationContext["callsOf"]> {
    return this.#reinvocation.callsOf(plugin);
  }

  async #mutateAll(): Promise<void> {
    const { isReinvoke } = this.#reinvocation;
    if (isReinvoke && this.#previous.isChanged(this.#attributes.object)) this.#previous.require();
    try {
      for (const call of this.#calls) {
        const id = idOf(call);
        const isCalled = () => !isReinvoke || this.#previous.isDue(id);
        if ((await this.#call(call, isCalled)) && call.policy.compiled.isReinvocable) this.#previous.add(id);
      }
      if (await this.#versions.writeTo(this.#attributes)) this.#reinvoke();
    } finally {
      this.#previous.leave(this.#attributes.object);
    }
  }

  /** The policies that have seen the object see it again, and so do the other plugins. */
  #reinvoke(): void {
    this.#previous.require();
    this.#reinvocation.shouldReinvoke = true;
  }

  /** Whether the mutations of the policy were evaluated. In a second run, the conditions are evaluated in any case. */
  async #call(call: Call, isCalled: () => boolean): Promise<boolean> {
    const { compiled } = call.policy;
    const notes: CallNotes = { problems: [], cost: 0 };
    if (!(await this.#matches(call, notes))) {
      this.#note(call, "skipped", notes);
      return false;
    }
    if (!isCalled()) return false;
    const before = (await this.#objects.variablesIn(call.version)).objects.object;
    for (const mutation of compiled.mutations) await this.#mutate(call, mutation, notes);
    const after = (await this.#objects.variablesIn(call.version)).objects.object;
    const hasChanged = !jsonEqual(before, after);
    if (hasChanged) {
      this.#reinvoke();
      if (this.#attributes.notes !== undefined)
        notes.patch = (await loadCompare())(before ?? {}, after ?? {});
    }
    this.#note(call, hasChanged ? "mutated" : "allowed", notes);
    return true;
  }

  async #matches({ policy, binding, version, param }: Call, notes: CallNotes): Promise<boolean> {
    const { conditions } = policy.compiled;
    if (conditions === undefined) return true;
    const variables = await this.#objects.variablesIn(version);
    const input = this.#inputOf(policy.compiled, variables, param);
    const match = await this.#checks.evaluate(() =>
      conditions(new ExpressionRun(input, "with authorizer", costBudget).activation),
    );
    const { metrics } = this.#environment;
    const isExcluded = !match.matches && (match.error === "" || policy.ignoresFailures);
    countConditions(metrics, policy.name, this.#attributes.operation, match, isExcluded ? 1 : 0);
    notes.cost += match.cost;
    notes.expressions = exclusion(match.excludedBy, match.cost);
    if (match.error === "") return match.matches;
    notes.problems.push(match.error);
    this.#failures.add(policy, binding, match.error);
    return false;
  }

  async #mutate(
    { policy, binding, version, param }: Call,
    mutation: Mutation,
    notes: CallNotes,
  ): Promise<void> {
    const variables = await this.#versions.visit(version);
    const { object } = variables.objects;
    if (object === null) return;
    const input = this.#inputOf(policy.compiled, variables, param);
    const { objects } = this.#environment;
    const result = await this.#checks.evaluate(() => mutate(mutation, input, object, version, objects));
    notes.cost += result.cost;
    this.#count(policy.name, binding.name, result);
    if (result.problem === undefined) return this.#versions.replace(variables, result.object);
    notes.problems.push(result.problem);
    this.#failures.add(policy, binding, result.problem);
  }

  #inputOf({ variables }: MutatingPolicy, shared: RequestVariables, params: KubeObject | null): RunInput {
    return { shared, further: this.#objects.further(params), variables };
  }

  /** Upstream counts mutations since 1.34 (plugin/policy/mutating/metrics/metrics.go). */
  #count(policy: string, binding: string, { errorType }: MutationResult): void {
    const { gates, metrics } = this.#environment;
    if (!gates.since("1.34")) return;
    const labels = { policy, policy_binding: binding, error_type: errorType };
    metrics.count("mutating_admission_policy_check_total", labels);
    metrics.observe("mutating_admission_policy_check_duration_seconds", labels, 0);
  }

  #fail({ policy, binding, problem }: ConfigurationFailure<MutatingPolicy>): void {
    const { name, ignoresFailures } = policy;
    const outcome = ignoresFailures ? "failedOpen" : "failed";
    const source = binding?.name ?? "";
    record(this.#attributes, { plugin, phase: "admit", name, source, outcome, message: problem, cost: 0 });
    this.#failures.addConfigurationFailure(policy, binding, problem);
  }

  #note(
    { policy, binding }: Call,
    outcome: "mutated" | "allowed" | "skipped",
    { problems, cost, ...parts }: CallNotes,
  ): void {
    const [message = ""] = problems;
    const failure = policy.ignoresFailures ? "failedOpen" : "failed";
    const step = { plugin, phase: "admit", name: policy.name, source: binding.name } as const;
    record(this.#attributes, {
      ...step,
      outcome: message === "" ? outcome : failure,
      message,
      cost,
      ...parts,
    });
  }
}

/** Upstream: dispatcher.go, keyFor. */
function idOf({ policy, binding, param }: Call): string {
  const { namespace = "", name = "" } = param?.metadata ?? {};
  return JSON.stringify([policy.name, binding.name, namespace, name]);
}
