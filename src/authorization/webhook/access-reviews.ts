import type { Clock } from "../../apimachinery/clock.ts";
import { booleanAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ReviewWire } from "../../webhooks/review-wire.ts";
import { checkFields } from "../../webhooks/webhook-answer.ts";
import { type CallResult, type WebhookClient, webhookClient } from "../../webhooks/webhook-client.ts";
import { type FailedCall, WebhookError } from "../../webhooks/webhook-error.ts";
import type { AuthorizationMetrics } from "../contract/authorization-metrics.ts";
import type { Authorizer, Decision } from "../contract/authorizer.ts";
import { DecisionCache } from "./decision-cache.ts";
import { type MatchConditions, MatchError } from "./match-conditions.ts";
import { reviewSpec } from "./review-spec.ts";
import type { WebhookAuthorizerConfig } from "./webhook-authorizer-config.ts";

/** What webhooks depend on, besides their own configuration. */
export interface WebhookEnvironment {
  readonly clock: Clock;
  readonly gates: FeatureGates;
  readonly metrics: AuthorizationMetrics;
  /** Changes what is said to webhooks; undefined if nothing does. */
  readonly wire?: ReviewWire | undefined;
}

/** Longer attributes of a request are not remembered: they may be an attack. */
const longestAttributes = 10_000;

/** Upstream's number of answers (plugin/pkg/authorizer/webhook/webhook.go). */
const cachedAnswers = 8192;

const none: Decision = { verdict: "noOpinion", reason: "" };

/**
 * Authorizes requests with reviews that a webhook answers. Upstream: apiserver, plugin/pkg/authorizer/webhook.
 * @throws {ConfigurationError} for a file that cannot be used
 */
export function accessReviews(
  config: WebhookAuthorizerConfig,
  { clock, gates, metrics, wire }: WebhookEnvironment,
  conditions: MatchConditions | undefined,
): Authorizer {
  const { target, title, version, timeoutMilliseconds, name } = config;
  const kind = { group: "authorization.k8s.io", version, kind: "SubjectAccessReview" };
  const client = webhookClient({ target, title, kind, clock, timeoutMilliseconds, wire });
  const metadata = gates.since("1.34") ? {} : { creationTimestamp: null };
  const specOptions = {
    version,
    since: gates.since,
    hasSelectors: gates.isEnabled("AuthorizeWithSelectors"),
  };
  const cache = new DecisionCache(clock, cachedAnswers);
  return async (attributes) => {
    const spec = reviewSpec(attributes, specOptions);
    try {
      if (conditions !== undefined && !conditions(spec)) return none;
    } catch (error) {
      if (!(error instanceof MatchError)) throw error;
      return { verdict: config.onFailure, reason: "", error: error.message };
    }
    const key = JSON.stringify(spec);
    const known = cache.get(key);
    if (known !== undefined) return decisionOf(known);
    const signal = attributes.request?.signal;
    const answer = await ask(
      client,
      { metadata, spec, status: { allowed: false } },
      { name, metrics, signal },
    );
    if ("failure" in answer) {
      // What becomes of a request without a client is of no interest.
      if (config.onFailure === "noOpinion" && !signal?.aborted) {
        const labels = `name="${name}",result="${answer.result}"`;
        metrics.count("webhook_evaluations_fail_open_total", labels);
      }
      return { verdict: config.onFailure, reason: "", error: answer.failure };
    }
    const { status } = answer;
    const isAllowed = booleanAt(status, "allowed");
    const milliseconds = isAllowed ? config.authorizedMilliseconds : config.unauthorizedMilliseconds;
    if (milliseconds > 0 && isShort(spec)) cache.set(key, status, milliseconds);
    return decisionOf(status);
  };
}

type Answer = { readonly status: JsonObject } | { readonly failure: string; readonly result: FailedCall };

interface Asking {
  readonly name: string;
  readonly metrics: AuthorizationMetrics;
  readonly signal: AbortSignal | undefined;
}

async function ask(
  client: WebhookClient,
  review: JsonObject,
  { name, metrics, signal }: Asking,
): Promise<Answer> {
  const observe = (result: CallResult, milliseconds: number) => {
    const labels = `name="${name}",result="${result}"`;
    metrics.count("webhook_evaluations_total", labels);
    metrics.webhookCalls.observe(labels, milliseconds / 1000);
  };
  try {
    const answered = await client(review, { observe, signal });
    const { allowed = false, denied = false, reason = "" } = structAt(answered, "status");
    const status = { allowed, denied, reason };
    checkFields(status, "SubjectAccessReviewStatus", { allowed: "bool", denied: "bool", reason: "string" });
    return { status };
  } catch (error) {
    if (error instanceof WebhookError) return { failure: error.message, result: error.result };
    throw error;
  }
}

function decisionOf(status: JsonObject): Decision {
  const reason = textAt(status, "reason");
  const isAllowed = booleanAt(status, "allowed");
  if (!booleanAt(status, "denied")) return { verdict: isAllowed ? "allow" : "noOpinion", reason };
  if (!isAllowed) return { verdict: "deny", reason };
  return {
    verdict: "deny",
    reason,
    error: "webhook subject access review returned both allow and deny response",
  };
}

function isShort(spec: JsonObject): boolean {
  const attributes = [structAt(spec, "resourceAttributes"), structAt(spec, "nonResourceAttributes")];
  const texts = attributes
    .flatMap((each) => Object.values(each))
    .filter((value) => typeof value === "string");
  return texts.reduce((length, text) => length + text.length, 0) < longestAttributes;
}
