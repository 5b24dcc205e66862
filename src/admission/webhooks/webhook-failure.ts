import { internalError, type StatusError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";

/** A webhook could not be called, or its answer is no decision. Upstream: apiserver, pkg/util/webhook, ErrCallingWebhook. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";
  /** The status code for metrics. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** The refusal of a request because a webhook failed. */
export function failedCall(webhook: string, { message }: WebhookFailure): StatusError {
  return internalError(`failed calling webhook ${goQuote(webhook)}: ${message}`);
}

/** A webhook denied the request, with the Status that it gave. Upstream: ErrWebhookRejection. */
export class WebhookDenial extends Error {
  override readonly name = "WebhookDenial";
  readonly refusal: StatusError;

  constructor(refusal: StatusError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
