/**
 * An error that an evaluation yields. It is a value: `false && error` is false. `message` is the text of cel-go,
 * without a position.
 */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function celError(message: string): CelError {
  return new CelError(message);
}

export function isError(value: unknown): value is CelError {
  return value instanceof CelError;
}

/** No function with this name takes these arguments. */
export const noSuchOverload: CelError = new CelError("no such overload");

export const integerOverflow: CelError = new CelError("integer overflow");

export const unsignedOverflow: CelError = new CelError("unsigned integer overflow");

/** The evaluation costs more than it may. */
export const costLimitExceeded: CelError = new CelError("operation cancelled: actual cost limit exceeded");
