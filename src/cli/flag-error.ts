/** An error in the command line. Its message is shown unchanged. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}
