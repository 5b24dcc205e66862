/** How a call failed: no answer came in time, the client whose request needs it went away, or something else. */
export type FailedCall = "timeout" | "canceled" | "error";

/** A call of a webhook failed. The message is upstream's. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  /** For metrics. */
  readonly result: FailedCall;
  readonly isRetriable: boolean;
  /** The status that the webhook answered; undefined if it did not answer. */
  readonly status: number | undefined;

  constructor(message: string, { result = "error", isRetriable = false, status }: WebhookErrorOptions = {}) {
    super(message);
    this.result = result;
    this.isRetriable = isRetriable;
    this.status = status;
  }
}

interface WebhookErrorOptions {
  readonly result?: FailedCall;
  readonly isRetriable?: boolean;
  readonly status?: number;
}
