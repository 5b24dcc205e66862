/**
 * The response to a patch that cannot be applied:
 * - `badRequest`: 400 with the message
 * - `unprocessable`: 422 with a generic message; upstream does not send the details
 * - `tooLarge`: 413 with the message
 * - `internal`: 500 with the bare message and no reason
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

/** A `test` operation of a JSON patch does not hold. Mutating admission policies then leave the object as it is. */
export class FailedTest extends PatchError {
  constructor(path: string) {
    super("unprocessable", `testing value ${path} failed: test failed`);
  }
}
