/** The texts of Go for errors of Node, by code. `%s` stands for the address. */
const texts: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "dial tcp %s: connect: connection refused"],
  ["ENOTFOUND", "dial tcp: lookup %h: no such host"],
  ["EHOSTUNREACH", "dial tcp %s: connect: no route to host"],
  ["ETIMEDOUT", "dial tcp %s: connect: connection timed out"],
  ["ECONNRESET", "read tcp %s: read: connection reset by peer"],
  ["EPIPE", "write tcp %s: write: broken pipe"],
  [
    "CERT_HAS_EXPIRED",
    "tls: failed to verify certificate: x509: certificate has expired or is not yet valid",
  ],
  [
    "CERT_NOT_YET_VALID",
    "tls: failed to verify certificate: x509: certificate has expired or is not yet valid",
  ],
]);

const unknownAuthority: ReadonlySet<string> = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_SIGNATURE_FAILURE",
  "INVALID_CA",
]);

/** What Go says about a connection that failed, and whether upstream tries again: only after a reset. */
export function connectionProblem(
  error: Error & { readonly code?: string },
  { host, hostname }: Pick<URL, "host" | "hostname">,
): { readonly text: string; readonly isRetriable: boolean } {
  const { code = "", message } = error;
  // Node gives the code of a reset to a connection that ends in time.
  if (message === "socket hang up") return { text: "EOF", isRetriable: false };
  if (unknownAuthority.has(code)) {
    const text = "tls: failed to verify certificate: x509: certificate signed by unknown authority";
    return { text, isRetriable: false };
  }
  const text = texts.get(code)?.replace("%s", host).replace("%h", hostname) ?? message;
  return { text, isRetriable: code === "ECONNRESET" };
}
