import { doublingBounds, Histogram } from "../../apimachinery/histogram.ts";

/** What is wrong with a webhook's answer, in upstream's words. */
export type ConversionFailure =
  | "call"
  | "malformed_response"
  | "partial_response"
  | "invalid_converted_object";

/** Objects of a definition that a webhook converts from one version to another. */
export interface Conversion {
  readonly definition: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Counts what webhooks convert. Durations pass by the clock of the cluster. Upstream: apiextensions-apiserver,
 * pkg/apiserver/conversion/metrics.go.
 */
export class ConversionMetrics {
  /** By definition, versions and success. */
  readonly conversions: Histogram = new Histogram(doublingBounds(0.001, 15));
  /** By result and failure. */
  readonly requests: Histogram = new Histogram([
    0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60,
  ]);

  observe(
    { definition, from, to }: Conversion,
    failure: ConversionFailure | undefined,
    milliseconds: number,
  ): void {
    const seconds = milliseconds / 1000;
    const succeeded = failure === undefined;
    const versions = `from_version="${from}",succeeded="${succeeded}",to_version="${to}"`;
    this.conversions.observe(`crd_name="${definition}",${versions}`, seconds);
    const failureType = succeeded ? "" : `conversion_webhook_${failure}_failure`;
    this.requests.observe(
      `failure_type="${failureType}",result="${succeeded ? "success" : "failure"}"`,
      seconds,
    );
  }

  reset(): void {
    this.conversions.reset();
    this.requests.reset();
  }
}
