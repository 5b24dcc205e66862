import { StatusError } from "../../apimachinery/errors/errors.ts";
import { statusCodes } from "../../apimachinery/errors/status-messages.ts";
import { utf8Bytes, utf8Length } from "../../apimachinery/utf8.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import type { AdmissionMetrics } from "../contract/admission-metrics.ts";
import { refused } from "../contract/attributes.ts";
import { annotate } from "../contract/notes.ts";
import type { PolicyBinding } from "./policy-hooks.ts";
import type { Decision, ValidationResult } from "./validation.ts";

/** Upstream: apiserver, plugin/policy/validating/dispatcher.go. */
const maxValidationFailures = 50;
const maxAnnotationLength = 10 * 1024;

/** The failure of a validation in the audit log. */
type ValidationFailure = {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
};

interface Denial {
  readonly message: string;
  readonly reason: Decision["reason"];
}

/** What validating policies do with a request: they deny it, warn, and write to the audit log. */
export class PolicyEffects {
  readonly #attributes: AdmissionAttributes;
  readonly #metrics: AdmissionMetrics;
  #denial: Denial | undefined;
  readonly #failures: ValidationFailure[] = [];
  readonly #annotations = new Map<string, Set<string>>();

  constructor(attributes: AdmissionAttributes, metrics: AdmissionMetrics) {
    this.#attributes = attributes;
    this.#metrics = metrics;
  }

  /** A policy, or its binding, cannot decide. */
  addConfigurationFailure(policy: string, binding: string | undefined, problem: string): void {
    const what = binding === undefined ? "policy" : "binding";
    this.#deny(policy, binding, { message: `failed to configure ${what}: ${problem}`, reason: "Invalid" });
  }

  addResult(policy: string, binding: PolicyBinding, { decisions, annotations }: ValidationResult): void {
    for (const [i, decision] of decisions.entries()) this.#addDecision(policy, binding, decision, i);
    for (const annotation of annotations) {
      if (annotation === undefined) continue;
      if (annotation.error !== undefined) {
        const decision = { message: annotation.error, reason: "Invalid" } as const;
        this.#deny(policy, binding.name, decision);
        this.#count(policy, binding.name, "deny", { ...decision, evaluation: "error" });
        continue;
      }
      const values = this.#annotations.get(`${policy}/${annotation.key}`) ?? new Set();
      this.#annotations.set(`${policy}/${annotation.key}`, values);
      values.add(truncated(annotation.value));
    }
  }

  /** Writes to the audit log. @throws {StatusError} the first denial */
  conclude(): void {
    for (const [key, values] of this.#annotations) annotate(this.#attributes, key, [...values].join(", "));
    if (this.#failures.length > 0) {
      const failures = this.#failures.slice(0, maxValidationFailures);
      annotate(
        this.#attributes,
        "validation.policy.admission.k8s.io/validation_failure",
        encodeJson(failures),
      );
    }
    if (this.#denial !== undefined) throw denialError(this.#attributes, this.#denial);
  }

  #addDecision(policy: string, binding: PolicyBinding, decision: Decision, index: number): void {
    const { name, actions } = binding;
    if (decision.action === "admit") {
      if (decision.evaluation === "error") this.#count(policy, name, "allow", decision);
      return;
    }
    for (const action of actions) {
      if (action === "Deny") this.#deny(policy, name, decision);
      else if (action === "Warn") {
        const source = `ValidatingAdmissionPolicy '${policy}' with binding '${name}'`;
        this.#attributes.warn(`Validation failed for ${source}: ${decision.message}`);
      } else {
        this.#failures.push({
          message: decision.message,
          policy,
          binding: name,
          expressionIndex: index,
          validationActions: actions,
        });
      }
      this.#count(policy, name, action.toLowerCase(), decision);
    }
  }

  #deny(policy: string, binding: string | undefined, { message, reason }: Denial): void {
    const source = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
    this.#denial ??= { message: `ValidatingAdmissionPolicy ${source} denied request: ${message}`, reason };
  }

  #count(
    policy: string,
    binding: string,
    action: string,
    decision: Pick<Decision, "evaluation" | "message">,
  ): void {
    const labels = {
      policy,
      policy_binding: binding,
      error_type: errorTypeOf(decision),
      enforcement_action: action,
    };
    this.#metrics.count("validating_admission_policy_check_total", labels);
    this.#metrics.observe("validating_admission_policy_check_duration_seconds", labels, 0);
  }
}

function truncated(text: string): string {
  if (utf8Length(text) <= maxAnnotationLength) return text;
  return new TextDecoder().decode(utf8Bytes(text).subarray(0, maxAnnotationLength));
}

/** Upstream reads the type off the message (apiserver, plugin/policy/validating/errors.go). */
function errorTypeOf({ evaluation, message }: Pick<Decision, "evaluation" | "message">): string {
  if (evaluation === "admit") return "no_error";
  if (message.startsWith("compilation")) return "compile_error";
  if (message.startsWith("validation failed due to running out of cost budget")) return "out_of_budget";
  return "invalid_error";
}

/** The message says that the request is forbidden, whatever the reason is. */
function denialError(attributes: AdmissionAttributes, { message, reason }: Denial): StatusError {
  const { status } = refused(attributes, message);
  const details = { ...status.details, causes: [{ message }] };
  return new StatusError({ ...status, reason, details, code: statusCodes[reason] });
}
