import { defaultBounds, doublingBounds, Histogram } from "../../apimachinery/histogram.ts";
import type { Decision } from "./authorizer.ts";

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

/**
 * What authorization counts. Labels are sorted by name and formatted as between braces. Durations are in seconds of the cluster's
 * clock.
 */
export class AuthorizationMetrics {
  /** Durations of the authorization of requests by `result`. */
  readonly attempts: Histogram = new Histogram(doublingBounds(0.001, 15));
  /** Durations of the match conditions of an authorizer by its `name` and `type`. */
  readonly matchConditions: Histogram = new Histogram(conditionBounds);
  /** Durations of single calls of a webhook by its `name` and the `result`. */
  readonly webhookCalls: Histogram = new Histogram(defaultBounds);
  readonly #counters = new Map<AuthorizationCounter, Map<string, number>>();

  /** Undefined without a configuration of authorizers. */
  reloads: () => AuthorizationReloads | undefined = () => undefined;

  /** Counts the authorization of a request. */
  countAttempt(decision: Decision, seconds: number): void {
    this.attempts.observe(attemptLabels[resultOf(decision)], seconds);
  }

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
    for (const histogram of [this.attempts, this.matchConditions, this.webhookCalls]) histogram.reset();
  }
}

type AttemptResult = "allowed" | "denied" | "no-opinion" | "error";

const attemptLabels: { readonly [R in AttemptResult]: string } = {
  allowed: 'result="allowed"',
  denied: 'result="denied"',
  "no-opinion": 'result="no-opinion"',
  error: 'result="error"',
};

/** An authorizer may allow a request in spite of an error. Upstream: apiserver, pkg/endpoints/filters/metrics.go. */
function resultOf({ verdict, error }: Decision): AttemptResult {
  if (verdict === "allow") return "allowed";
  if (error !== undefined) return "error";
  return verdict === "deny" ? "denied" : "no-opinion";
}

const conditionBounds: readonly number[] = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

const none: ReadonlyMap<string, number> = new Map();
