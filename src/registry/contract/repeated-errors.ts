import type { StatusError } from "../../apimachinery/errors/errors.ts";

/** Counts the errors that refusals of updates repeat. Upstream: apiserver, pkg/registry/rest/validate.go, RecordDuplicateValidationErrors. */
export class RepeatedErrors {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  observe({ status }: StatusError): void {
    const causes = status.details?.causes ?? [];
    this.#count += causes.length - new Set(causes.map(({ field, message }) => `${field}: ${message}`)).size;
  }

  reset(): void {
    this.#count = 0;
  }
}
