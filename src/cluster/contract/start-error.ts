import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";

/** The cluster cannot start because of what its owner gave it, so it answers no request. */
export class StartError extends Error {
  override readonly name: string = "StartError";
}

/** The error of a start that failed: a configuration that cannot be used is the owner's, any other error stays what it is. */
export function startErrorOf(error: unknown): unknown {
  return error instanceof ConfigurationError ? new StartError(error.message, { cause: error }) : error;
}
