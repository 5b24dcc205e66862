import type { Clock } from "../apimachinery/clock.ts";
import { answerPatience, letTimeGoOn } from "../apimachinery/held-time.ts";
import { type FailedCall, WebhookError } from "./webhook-error.ts";

/** How long a call may take by a clock. */
export interface Deadline {
  readonly clock: Clock;
  readonly milliseconds: number;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** Go's text for a call whose answer is no longer needed. */
export const canceled = "context canceled";

/** Why a call ends without an answer. */
export type Ending = Extract<FailedCall, "timeout" | "canceled">;

/** What a promise resolves to, unless it takes too long. @throws {WebhookError} with the message that `ended` returns */
export function before<T>(
  { clock, milliseconds, signal }: Deadline,
  promise: Promise<T>,
  ended: (by: Ending) => string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (result: Ending) => reject(new WebhookError(ended(result), { result }));
    const cancel = () => end("canceled");
    const timer = clock.after(milliseconds, () => end("timeout"));
    const answered = letTimeGoOn(clock, answerPatience);
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    promise.then(resolve, reject).finally(() => {
      timer.cancel();
      answered();
      signal?.removeEventListener("abort", cancel);
    });
  });
}
