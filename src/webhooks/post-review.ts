import type { JsonObject } from "../apimachinery/json.ts";
import { encodeJson } from "../codec/json/json.ts";
import { shownAddress } from "./address.ts";
import { connectionProblem } from "./connection-problem.ts";
import { before, canceled, type Deadline } from "./deadline.ts";
import { post, UnreadAnswer, type WebhookAnswer } from "./node-http.ts";
import type { WebhookConnection } from "./webhook-connection.ts";
import { WebhookError } from "./webhook-error.ts";

/** How a call may end, and what errors say of it. */
export interface PostOptions {
  readonly deadline: Deadline;
  /** The call in errors: `Post "https://..."`. */
  readonly shown: string;
  /** What follows `shown` if no answer comes in time. */
  readonly late: string;
}

/** Posts a review to a webhook, once. @throws {WebhookError} with the message of Go's client */
export function postReview(
  connection: WebhookConnection,
  review: JsonObject,
  { deadline, shown, late }: PostOptions,
): Promise<WebhookAnswer> {
  const stop = new AbortController();
  const { wire } = connection;
  const text = `${encodeJson(review)}\n`;
  const body = new TextEncoder().encode(wire === undefined ? text : wire.sent(text));
  const failed = (error: unknown): never => {
    if (!(error instanceof Error)) throw error;
    if (error instanceof UnreadAnswer) throw unread(error.message);
    if (error instanceof WebhookError) throw new WebhookError(`${shown}: ${error.message}`);
    const { text, isRetriable } = connectionProblem(error, placeOf(connection));
    throw new WebhookError(`${shown}: ${text}`, { isRetriable });
  };
  let isAnswering = false;
  const answers = () => {
    isAnswering = true;
  };
  const posting = (async () => {
    const answer = await post(connection, body, { signal: stop.signal, answers });
    return wire === undefined ? answer : { ...answer, body: wire.answered(answer.body) };
  })().catch(failed);
  return before(deadline, posting, (by) => {
    stop.abort();
    const reason = by === "timeout" ? late : canceled;
    return isAnswering ? unread(reason.replace(...whileReading)).message : `${shown}: ${reason}`;
  });
}

/** Upstream's message about an answer that began. Upstream: client-go, rest/request.go, transformResponse. */
function unread(problem: string): WebhookError {
  const advice = "unexpected error when reading response body. Please retry.";
  return new WebhookError(`${advice} Original error: ${problem}`);
}

/** Where Go's client says what it was waiting for (net/http, client.go). */
const whileReading = [
  "exceeded while awaiting headers",
  "or context cancellation while reading body",
] as const;

/** The place that a connection leads to, as Go shows it. */
function placeOf({ address, url }: WebhookConnection): Pick<URL, "host" | "hostname"> {
  return address === undefined ? url : shownAddress(address);
}
