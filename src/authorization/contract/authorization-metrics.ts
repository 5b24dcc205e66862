/** The counters of authorization since 1.30, by upstream's names without `apiserver_authorization_`. */
export type AuthorizationCounter =
  | "decisions_total"
  | "webhook_evaluations_total"
  | "webhook_evaluations_fail_open_total"
  | "match_condition_evaluation_errors_total"
  | "match_condition_exclusions_total"
  | "config_controller_automatic_reloads_total";

/** What authorizers count. Labels are sorted by name and formatted as between braces. */
export class AuthorizationMetrics {
  readonly #counters = new Map<AuthorizationCounter, Map<string, number>>();

  count(counter: AuthorizationCounter, labels: string): void {
    const samples = this.#counters.get(counter) ?? new Map<string, number>();
    samples.set(labels, (samples.get(labels) ?? 0) + 1);
    this.#counters.set(counter, samples);
  }

  samples(counter: AuthorizationCounter): ReadonlyMap<string, number> {
    return this.#counters.get(counter) ?? none;
  }

  reset(): void {
    this.#counters.clear();
  }
}

const none: ReadonlyMap<string, number> = new Map();
