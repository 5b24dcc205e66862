import type { JsonObject } from "../apimachinery/json.ts";

/** An expression of a webhook or a policy that was evaluated for a request. */
export interface EvaluatedExpression {
  readonly expression: string;
  /** `false` if it does not hold, `error` if it could not be evaluated. */
  readonly outcome: "true" | "false" | "error";
  /** What the answer says about it; empty if it holds. */
  readonly message: string;
  readonly cost: number;
}

/**
 * What came of a step. `warned` and `audited`: a policy does not hold, and its binding only warns or writes to the audit log. `failed`: it
 * could not decide, which denies the request. `failedOpen`: it could not decide, and its failure policy ignores that. `skipped`: its
 * match conditions exclude the request.
 */
export type AdmissionOutcome =
  | "allowed"
  | "mutated"
  | "warned"
  | "audited"
  | "denied"
  | "failed"
  | "failedOpen"
  | "skipped";

/** What one plugin, webhook or policy did with a request. */
export interface AdmissionStep {
  /** The admission plugin, such as `MutatingAdmissionWebhook`. */
  readonly plugin: string;
  readonly phase: "admit" | "validate";
  /** The webhook or the policy; empty for the plugin itself. */
  readonly name: string;
  /** The webhook configuration or the binding of the policy; empty for the plugin itself. */
  readonly source: string;
  readonly outcome: AdmissionOutcome;
  /** Why it did not simply allow the request; empty if it did. */
  readonly message: string;
  /** What its expressions cost; 0 without any. */
  readonly cost: number;
  /** The validations of a policy, or the match condition that excludes the request. */
  readonly expressions: readonly EvaluatedExpression[];
  /** How it changed the object, as a JSON patch in the version that it sees; undefined if it changed nothing. */
  readonly patch: readonly JsonObject[] | undefined;
  /** 1 in the second run of the mutating plugins, 0 otherwise. */
  readonly round: 0 | 1;
}

/** What a request leaves in the log, besides its answer. */
export interface RequestNotes {
  /** For the audit log; undefined without any. */
  annotations: { readonly [name: string]: string } | undefined;
  /** The steps of admission that concerned it, in order; undefined without any. */
  admission: readonly AdmissionStep[] | undefined;
}
