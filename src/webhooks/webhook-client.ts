import type { Clock } from "../apimachinery/clock.ts";
import { formatDuration } from "../apimachinery/duration.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { before, type Deadline } from "./deadline.ts";
import { answerOf } from "./function-answer.ts";
import { connectionOf } from "./kubeconfig-connection.ts";
import { postReview } from "./post-review.ts";
import { checkedReview, type ReviewKind, reviewOf } from "./webhook-answer.ts";
import type { WebhookConnection } from "./webhook-connection.ts";
import { WebhookError } from "./webhook-error.ts";
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
}

/** How a call ended, for metrics. */
export type CallResult = "success" | "timeout" | "error";

/** Sends the members of a review after `kind` and `apiVersion`, and returns the review with its status. @throws {WebhookError} */
export type WebhookClient = (
  review: JsonObject,
  observe?: (result: CallResult, milliseconds: number) => void,
) => Promise<JsonObject>;

/** The pauses between five calls grow by 1.5. Upstream: apiserver, pkg/util/webhook; its jitter is left out. */
const growths: readonly number[] = [1, 1.5, 2.25, 3.375];

/** A client of a webhook. @throws {ConfigurationError} for a file that cannot be used */
export function webhookClient(options: WebhookClientOptions): WebhookClient {
  const { kind, clock, retryMilliseconds = 500 } = options;
  const call = callOf(options);
  const once: WebhookClient = async (review, observe) => {
    const start = clock.now();
    const ended = (result: CallResult) => observe?.(result, clock.now() - start);
    try {
      const answer = await call({ kind: kind.kind, apiVersion: formatGroupVersion(kind), ...review });
      ended("success");
      return answer;
    } catch (error) {
      ended(error instanceof WebhookError ? error.result : "error");
      throw error;
    }
  };
  return async (review, observe) => {
    for (const growth of growths) {
      try {
        return await once(review, observe);
      } catch (error) {
        if (!(error instanceof WebhookError && error.isRetriable)) throw error;
        await new Promise<void>((resolve) => clock.after(retryMilliseconds * growth, resolve));
      }
    }
    return once(review, observe);
  };
}

/** Sends a whole review, once, and returns the review with its status. @throws {WebhookError} */
type Call = (review: JsonObject) => Promise<JsonObject>;

function callOf({ target, title, kind, clock, timeoutMilliseconds }: WebhookClientOptions): Call {
  const deadline = { clock, milliseconds: timeoutMilliseconds };
  if (typeof target === "function") return functionCall(target, kind, deadline);
  const file = typeof target === "string" ? { text: target, readFile: noFiles } : target;
  return addressCall(connectionOf(file, title), kind, deadline);
}

const noFiles: KubeconfigFile["readFile"] = () => {
  throw new Error("the text of an option has no files: give the data instead");
};

/** Calls a function of a test. */
function functionCall(review: ReviewFunction, kind: ReviewKind, deadline: Deadline): Call {
  return async (sent) => {
    const answer = await before(deadline, answerOf(review, sent), () => "context deadline exceeded");
    return checkedReview(answer, kind);
  };
}

/** Posts to an address. The timeout is in the query, as in every request of client-go with one. */
function addressCall(connection: WebhookConnection, kind: ReviewKind, deadline: Deadline): Call {
  const url = new URL(connection.url);
  url.hash = "";
  url.searchParams.set("timeout", formatDuration(BigInt(deadline.milliseconds) * 1_000_000n));
  const late = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  const options = { deadline, shown: `Post "${url.href}"`, late };
  return async (sent) => reviewOf(await postReview({ ...connection, url }, sent, options), kind);
}
