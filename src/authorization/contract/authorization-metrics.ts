/** The counters of authorization since 1.30, by upstream's names without `apiserver_authorization_`. */
export type AuthorizationCounter =
  | "decisions_total"
  | "webhook_evaluations_total"
  | "webhook_evaluations_fail_open_total"
  | "match_condition_evaluation_errors_total"
  | "match_condition_exclusions_total";

/** How often the configuration of authorizers was read again because its text had changed. */
export interface AuthorizationReloads {
  /** The hash of the server's name, for labels. */
  readonly serverHash: string;
  /** The hash of the text in use. */
  readonly configurationHash: string;
  readonly success: AuthorizationReloadCount;
  readonly failure: AuthorizationReloadCount;
}

/** `last` is in seconds since the epoch; 0 if there was none. */
export interface AuthorizationReloadCount {
  readonly count: number;
  readonly last: number;
}

/** What authorizers count. Labels are sorted by name and formatted as between braces. */
export class AuthorizationMetrics {
  readonly #counters = new Map<AuthorizationCounter, Map<string, number>>();

  /** Undefined without a configuration of authorizers. */
  reloads: () => AuthorizationReloads | undefined = () => undefined;

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
