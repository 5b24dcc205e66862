/** A call of a webhook failed. The message is upstream's. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  /** `timeout` if no answer came in time; for metrics. */
  readonly result: "timeout" | "error";
  readonly isRetriable: boolean;

  constructor(message: string, { result = "error", isRetriable = false }: WebhookErrorOptions = {}) {
    super(message);
    this.result = result;
    this.isRetriable = isRetriable;
  }
}

interface WebhookErrorOptions {
  readonly result?: "timeout" | "error";
  readonly isRetriable?: boolean;
}
