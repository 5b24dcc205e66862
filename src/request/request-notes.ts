/** What one plugin, webhook or policy did with a request. */
export interface AdmissionStep {
  /** The admission plugin, such as `MutatingAdmissionWebhook`. */
  readonly plugin: string;
  readonly phase: "admit" | "validate";
  /** The webhook or the policy; empty for the plugin itself. */
  readonly name: string;
  /** The webhook configuration or the binding of the policy; empty for the plugin itself. */
  readonly source: string;
  /** `failed` if it could not decide; whether that denies the request depends on its failure policy. */
  readonly outcome: "allowed" | "mutated" | "denied" | "skipped" | "failed";
  /** Why it denied the request, failed or was skipped; empty otherwise. */
  readonly message: string;
  /** What its expressions cost; 0 without any. */
  readonly cost: number;
}

/** What a request leaves in the log, besides its answer. */
export interface RequestNotes {
  /** For the audit log; undefined without any. */
  annotations: { readonly [name: string]: string } | undefined;
  /** The steps of admission that concerned it, in order; undefined without any. */
  admission: readonly AdmissionStep[] | undefined;
}
