import { parseIp } from "../apimachinery/ip.ts";

/** What is used of a certificate as Node shows it. */
export interface ShownCertificate {
  /** Such as `DNS:localhost, IP Address:127.0.0.1`; undefined without the extension. */
  readonly subjectaltname?: string;
}

/** Node's `tls.checkServerIdentity`. Without alternative names, it compares the common name, which Go ignores. */
export type IdentityCheck = (host: string, certificate: ShownCertificate) => Error | undefined;

/** The error of Go for a certificate that is not that of the host; undefined if it is. Go: crypto/x509, HostnameError. */
export function identityError(
  host: string,
  certificate: ShownCertificate,
  check: IdentityCheck,
): Error | undefined {
  const { subjectaltname: names } = certificate;
  const mismatch = check(host, certificate);
  if (mismatch === undefined && names !== undefined) return undefined;
  const problem =
    mismatch === undefined
      ? "certificate relies on legacy Common Name field, use SANs instead"
      : mismatchText(host, names?.split(", ") ?? []);
  return new Error(`tls: failed to verify certificate: x509: ${problem}`);
}

function mismatchText(host: string, names: readonly string[]): string {
  const isAddress = parseIp(host) !== undefined;
  const kind = isAddress ? "IP Address:" : "DNS:";
  const valid = names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  if (valid.length > 0) return `certificate is valid for ${valid.join(", ")}, not ${host}`;
  if (isAddress) return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  return `certificate is not valid for any names, but wanted to match ${host}`;
}
