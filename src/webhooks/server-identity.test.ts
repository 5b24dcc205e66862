import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { expect, test } from "vitest";
import { identityError } from "./server-identity.ts";

test.each<[string, string, string | undefined, string | undefined]>([
  ["localhost", "other", "DNS:localhost", undefined],
  ["a.example.test", "other", "DNS:localhost, DNS:*.example.test", undefined],
  ["127.0.0.1", "other", "DNS:localhost, IP Address:127.0.0.1", undefined],
  ["localhost", "localhost", undefined, "certificate relies on legacy Common Name field, use SANs instead"],
  ["localhost", "other", undefined, "certificate is not valid for any names, but wanted to match localhost"],
  [
    "127.0.0.1",
    "other",
    "DNS:localhost",
    "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
  ],
  ["localhost", "localhost", "DNS:a, DNS:b", "certificate is valid for a, b, not localhost"],
  ["127.0.0.2", "x", "DNS:a, IP Address:127.0.0.1", "certificate is valid for 127.0.0.1, not 127.0.0.2"],
])("%s with a certificate of %s and %s: %s", (host, commonName, subjectaltname, problem) => {
  // Node looks at nothing else of the certificate.
  const certificate = {
    subject: { CN: commonName },
    ...(subjectaltname !== undefined && { subjectaltname }),
  };
  const error = identityError(host, certificate, (name, shown) =>
    checkServerIdentity(name, shown as PeerCertificate),
  );
  expect(error?.message).toBe(problem && `tls: failed to verify certificate: x509: ${problem}`);
});
