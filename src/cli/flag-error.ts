/** What is wrong with the command line. Its message is shown as it stands. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}
