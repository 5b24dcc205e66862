import type { Clock } from "../apimachinery/clock.ts";
import { formatDuration } from "../apimachinery/duration.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { letTimeGoOn } from "../apimachinery/held-time.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { before, canceled, type Deadline } from "./deadline.ts";
import { answerOf } from "./function-answer.ts";
import { connectionOf } from "./kubeconfig-connection.ts";
import { postReview } from "./post-review.ts";
import { answeredReview, type ReviewWire, sentReview } from "./review-wire.ts";
import { checkedReview, type ReviewKind, reviewOf } from "./webhook-answer.ts";
import type { WebhookConnection } from "./webhook-connection.ts";
import { type FailedCall, WebhookError } from "./webhook-error.ts";
import type { KubeconfigFile, ReviewFunction, WebhookTarget } from "./webhook-target.ts";

/** What a client of a webhook needs. */
export interface WebhookClientOptions {
  readonly target: WebhookTarget;
  /** Names the file in errors. */
  readonly title: string;
  readonly kind: ReviewKind;
  /** Timeouts and pauses pass by it. */
  readonly clock: Clock;
  /** How long one call may take. */
  readonly timeoutMilliseconds: number;
  /** The pause between the first two calls. Default: 500. */
  readonly retryMilliseconds?: number;
  /** Changes what is sent and what is answered. Default: nothing does. */
  readonly wire?: ReviewWire | undefined;
}

/** How a call ended, for metrics. */
export type CallResult = "success" | FailedCall;

/** What a caller may add to a review. */
export interface ReviewOptions {
  /** Hears how each call ended. */
  readonly observe?: (result: CallResult, milliseconds: number) => void;
  /** Aborts when the answer is no longer needed: the call ends, and no other one follows. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends the members of a review after `kind` and `apiVersion`, and returns the review with its status. @throws {WebhookError} */
export type WebhookClient = (review: JsonObject, options?: ReviewOptions) => Promise<JsonObject>;

/** The pauses between five calls grow by 1.5. Upstream: apiserver, pkg/util/webhook; its jitter is left out. */
const growths: readonly number[] = [1, 1.5, 2.25, 3.375];

/** A client of a webhook. @throws {ConfigurationError} for a file that cannot be used */
export function webhookClient(options: WebhookClientOptions): WebhookClient {
  const { kind, clock, retryMilliseconds = 500 } = options;
  const call = callOf(options);
  const once: WebhookClient = async (review, { observe, signal } = {}) => {
    const start = clock.now();
    const ended = (result: CallResult) => observe?.(result, clock.now() - start);
    try {
      const sent = { kind: kind.kind, apiVersion: formatGroupVersion(kind), ...review };
      const answer = await call(sent, signal);
      ended("success");
      return answer;
    } catch (error) {
      ended(error instanceof WebhookError ? error.result : "error");
      throw error;
    }
  };
  return async (review, options) => {
    for (const growth of growths) {
      try {
        return await once(review, options);
      } catch (error) {
        if (!(error instanceof WebhookError && error.isRetriable)) throw error;
        await paused(clock, retryMilliseconds * growth, options?.signal);
        if (options?.signal?.aborted) throw error;
      }
    }
    return once(review, options);
  };
}

/** Resolves after a pause, or when the signal aborts. */
function paused(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      timer.cancel();
      ended();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = clock.after(milliseconds, end);
    const ended = letTimeGoOn(clock);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}

/** Sends a whole review, once, and returns the review with its status. @throws {WebhookError} */
type Call = (review: JsonObject, signal: AbortSignal | undefined) => Promise<JsonObject>;

function callOf({ target, title, kind, clock, timeoutMilliseconds, wire }: WebhookClientOptions): Call {
  const deadline = { clock, milliseconds: timeoutMilliseconds };
  if (typeof target === "function") return functionCall(target, { kind, wire }, deadline);
  const file = typeof target === "string" ? { text: target, readFile: noFiles } : target;
  return addressCall({ ...connectionOf(file, title), wire }, kind, deadline);
}

const noFiles: KubeconfigFile["readFile"] = () => {
  throw new Error("the text of an option has no files: give the data instead");
};

/** Calls a function of a test. */
function functionCall(
  review: ReviewFunction,
  { kind, wire }: Pick<WebhookClientOptions, "kind" | "wire">,
  deadline: Deadline,
): Call {
  return async (sent, signal) => {
    const answer = await before({ ...deadline, signal }, answerOf(review, sentReview(sent, wire)), (by) =>
      by === "timeout" ? "context deadline exceeded" : canceled,
    );
    return checkedReview(answeredReview(answer, wire), kind);
  };
}

/** Posts to an address. The timeout is in the query, as in every request of client-go with one. */
function addressCall(connection: WebhookConnection, kind: ReviewKind, deadline: Deadline): Call {
  const url = new URL(connection.url);
  url.hash = "";
  url.searchParams.set("timeout", formatDuration(BigInt(deadline.milliseconds) * 1_000_000n));
  const late = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  const shown = `Post "${url.href}"`;
  return async (sent, signal) => {
    const options = { deadline: { ...deadline, signal }, shown, late };
    return reviewOf(await postReview({ ...connection, url }, sent, options), kind);
  };
}
