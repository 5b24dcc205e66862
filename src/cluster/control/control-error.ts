import { messageOf } from "../../apimachinery/errors/message-of.ts";
/** A refused request to the control API. The message is for people. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Calls a function with the client's input; its errors are those of the request. @throws {ControlError} */
export function checked<T>(status: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ControlError) throw error;
    throw new ControlError(status, messageOf(error));
  }
}
