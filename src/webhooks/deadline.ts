import type { Clock } from "../apimachinery/clock.ts";
import { WebhookError } from "./webhook-error.ts";

/** How long a call may take by a clock. */
export interface Deadline {
  readonly clock: Clock;
  readonly milliseconds: number;
}

/** What a promise resolves to, unless it is late. @throws {WebhookError} with the message that `late` returns */
export function before<T>(
  { clock, milliseconds }: Deadline,
  promise: Promise<T>,
  late: () => string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(milliseconds, () => reject(new WebhookError(late(), { result: "timeout" })));
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}
