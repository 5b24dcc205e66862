/** The configuration of authentication is not valid, so the server answers no request. The message is upstream's. */
export class AuthenticationConfigurationError extends Error {
  override readonly name = "AuthenticationConfigurationError";
}
