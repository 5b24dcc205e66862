/**
 * What becomes of a patch that cannot be applied:
 * - `badRequest`: 400 with the message
 * - `unprocessable`: 422 with the router's sentence; upstream keeps the message to itself
 * - `tooLarge`: 413 with the message
 * - `internal`: 500 without a reason, and the bare message
 */
export type PatchErrorKind = "badRequest" | "unprocessable" | "tooLarge" | "internal";

/** A patch that cannot be read or applied. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
