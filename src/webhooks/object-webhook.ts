import type { Clock } from "../apimachinery/clock.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { connectionTo, urlOf } from "./client-config.ts";
import { before } from "./deadline.ts";
import { answerOf } from "./function-answer.ts";
import type { HostCredentials } from "./host-credentials.ts";
import { postReview } from "./post-review.ts";
import { answeredReview, type ReviewWire, sentReview } from "./review-wire.ts";
import type { Locations } from "./service-address.ts";
import { checkedReview, type ReviewKind, reviewOf } from "./webhook-answer.ts";
import type { WebhookConnection } from "./webhook-connection.ts";
import { WebhookError } from "./webhook-error.ts";

/** A webhook that an object of the cluster names. */
export interface ObjectWebhook {
  /** By which the owner of the cluster may have given a function. */
  readonly name: string;
  readonly clientConfig: JsonObject;
  readonly timeoutSeconds: number;
  /** What is left to the request that waits for the answer, if that may be less. */
  readonly milliseconds?: number;
}

/** How reviews of a kind are sent. */
export interface ReviewProtocol {
  readonly kind: ReviewKind;
  readonly userAgent: string;
  /** Makes a review of what a function answers, which may be shorter. */
  readonly complete: (answer: JsonValue, sent: JsonObject) => JsonValue;
  /** What upstream says if no answer comes in time. `shown` is the call: `Post "https://..."`. */
  readonly late: { readonly post: string; readonly ofFunction: (shown: string) => string };
}

/** What calls of webhooks depend on. */
export interface CallEnvironment extends Locations {
  /** Timeouts pass by it. */
  readonly clock: Clock;
  /** How the server identifies itself to webhooks at addresses. Default: not at all. */
  readonly credentials?: HostCredentials;
  /** Changes what is sent and what is answered. Default: nothing does. */
  readonly wire?: ReviewWire | undefined;
}

/** Sends a review to a webhook, once, and returns its answer, a review of the same version. @throws {WebhookError} */
export async function callObjectWebhook(
  { name, clientConfig, timeoutSeconds, milliseconds = Number.POSITIVE_INFINITY }: ObjectWebhook,
  review: JsonObject,
  { kind, userAgent, complete, late }: ReviewProtocol,
  environment: CallEnvironment,
): Promise<JsonObject> {
  const { clock, targets, wire } = environment;
  const url = urlOf(clientConfig, timeoutSeconds);
  const shown = `Post "${url}"`;
  const deadline = { clock, milliseconds: Math.min(timeoutSeconds * 1000, milliseconds) };
  const answer = targets.webhooks.get(name) ?? (wire && targets.webhooks.get(wire.sent(name)));
  if (answer !== undefined) {
    const sent = sentReview(review, wire);
    const answered = await before(deadline, answerOf(answer, sent), () => late.ofFunction(shown));
    return checkedReview(answeredReview(complete(answered, sent), wire), kind);
  }
  const connection = { ...found(clientConfig, url, shown, environment), userAgent, wire };
  return reviewOf(await postReview(connection, review, { deadline, shown, late: late.post }), kind);
}

/** @throws {WebhookError} that begins with the call */
function found(
  clientConfig: JsonObject,
  url: string,
  shown: string,
  environment: CallEnvironment,
): WebhookConnection {
  if (!URL.canParse(url)) throw new WebhookError(`${shown}: invalid URL`);
  try {
    const connection = connectionTo(clientConfig, new URL(url), environment);
    const { host, port } = connection.url;
    return { ...connection, ...environment.credentials?.(port === "" ? `${host}:443` : host) };
  } catch (error) {
    throw error instanceof WebhookError ? new WebhookError(`${shown}: ${error.message}`) : error;
  }
}
