import type { Clock } from "../apimachinery/clock.ts";
import { formatDuration } from "../apimachinery/duration.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { encodeJson } from "../codec/json/json.ts";
import { connectionProblem } from "./connection-problem.ts";
import { before, type Deadline } from "./deadline.ts";
import { answerOf } from "./function-answer.ts";
import { connectionOf } from "./kubeconfig-connection.ts";
import { post } from "./node-http.ts";
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
}

/** How a call ended, for metrics. */
export type CallResult = "success" | "timeout" | "error";

/** Sends the members of a review after `kind` and `apiVersion`, and returns the review with its status. @throws {WebhookError} */
export type WebhookClient = (
  review: JsonObject,
  observe?: (result: CallResult, milliseconds: number) => void,
) => Promise<JsonObject>;

/** The pauses between five calls. Upstream: 500 ms that grow by 1.5 (apiserver, pkg/util/webhook); its jitter is left out. */
const pauses: readonly number[] = [500, 750, 1125, 1687.5];

/** A client of a webhook. @throws {ConfigurationError} for a file that cannot be used */
export function webhookClient(options: WebhookClientOptions): WebhookClient {
  const { kind, clock } = options;
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
    for (const pause of pauses) {
      try {
        return await once(review, observe);
      } catch (error) {
        if (!(error instanceof WebhookError && error.isRetriable)) throw error;
        await new Promise<void>((resolve) => clock.after(pause, resolve));
      }
    }
    return once(review, observe);
  };
}

/** Sends a whole review, once, and returns the review with its status or response. @throws {WebhookError} */
export type Call = (review: JsonObject) => Promise<JsonObject>;

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
export function functionCall(review: ReviewFunction, kind: ReviewKind, deadline: Deadline): Call {
  return async (sent) => {
    const answer = await before(deadline, answerOf(review, sent), () => "context deadline exceeded");
    return checkedReview(answer, kind);
  };
}

/** Posts to an address. The timeout is in the query, as in every request of client-go with one. */
export function addressCall(connection: WebhookConnection, kind: ReviewKind, deadline: Deadline): Call {
  const url = urlWithTimeout(connection.url, deadline);
  const shown = `Post "${shownUrl(url, connection.shownHost)}"`;
  return async (sent) => {
    const stop = new AbortController();
    const body = new TextEncoder().encode(`${encodeJson(sent)}\n`);
    const posting = post({ ...connection, url }, body, stop.signal).catch((error: unknown) => {
      if (error instanceof WebhookError || !(error instanceof Error)) throw error;
      const { text, isRetriable } = connectionProblem(error, url);
      throw new WebhookError(`${shown}: ${text}`, { isRetriable });
    });
    const late = () => {
      stop.abort();
      return `${shown}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
    };
    return reviewOf(await before(deadline, posting, late), kind);
  };
}

/** The URL that a call requests. */
export function urlWithTimeout(base: URL, { milliseconds }: Deadline): URL {
  const url = new URL(base);
  url.hash = "";
  url.searchParams.set("timeout", formatDuration(BigInt(milliseconds) * 1_000_000n));
  return url;
}

/** A URL with the host as Go shows it, which keeps a port that is the default. */
export function shownUrl(url: URL, host: string = url.host): string {
  return url.href.replace(`//${url.host}`, `//${host}`);
}
