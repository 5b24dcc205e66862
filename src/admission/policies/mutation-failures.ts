import { StatusError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";
import type { MutatingPolicy } from "./mutating-policy.ts";
import type { PolicyBinding, StoredPolicy } from "./policy-hooks.ts";

interface Failure {
  readonly message: string;
  readonly reason: "Forbidden" | "Invalid";
}

/** Why mutating policies could not change the object of a request. */
export class MutationFailures {
  readonly #attributes: AdmissionAttributes;
  readonly #failures: Failure[] = [];

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** The policy, or its binding, cannot be used. */
  addConfigurationFailure(
    policy: StoredPolicy<MutatingPolicy>,
    binding: PolicyBinding | undefined,
    problem: string,
  ): void {
    const what = binding === undefined ? "policy" : "binding";
    this.#add(policy, binding, `failed to configure ${what}: ${problem}`, "Forbidden");
  }

  /** A condition or a mutation failed. */
  add(policy: StoredPolicy<MutatingPolicy>, binding: PolicyBinding, problem: string): void {
    this.#add(policy, binding, problem, "Invalid");
  }

  /**
   * Upstream: apiserver, plugin/policy/generic/policy_dispatcher.go, Dispatch. The code is always 403.
   * @throws {StatusError} the first failure that counts, with the others as causes
   */
  conclude(): void {
    const [first] = this.#failures;
    if (first === undefined) return;
    const { status } = refused(this.#attributes, first.message);
    const causes = this.#failures.map(({ message }) => ({ message }));
    throw new StatusError({ ...status, ...first, details: { ...status.details, causes } });
  }

  #add(
    { name, ignoresFailures }: StoredPolicy<MutatingPolicy>,
    binding: PolicyBinding | undefined,
    problem: string,
    reason: Failure["reason"],
  ): void {
    if (ignoresFailures) return;
    const source =
      binding === undefined ? `policy ${goQuote(name)}` : `policy '${name}' with binding '${binding.name}'`;
    this.#failures.push({ message: `${source} denied request: ${problem}`, reason });
  }
}
