/** A token of a configured issuer is not valid. The message is upstream's. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}
