/** The cluster cannot start because of what its owner gave it, so it answers no request. */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
