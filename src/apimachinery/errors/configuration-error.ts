/**
 * A configuration, such as a kubeconfig or the text of an option, that cannot be used. The message is upstream's where it has one.
 * A server that reads it when it starts does not start; one that reads it again keeps what it has.
 */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
