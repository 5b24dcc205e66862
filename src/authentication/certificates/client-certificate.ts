import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import { type Authenticator, noOpinion } from "../contract/authenticator.ts";
import { verificationCache } from "./verification-cache.ts";
import type { VerifiedUser } from "./verified-user.ts";

/**
 * Authenticates by the certificate of the TLS connection: the common name is the user, and the organizations are the groups.
 * The certificate is verified by the clock of the cluster. The code for that is loaded with the first certificate.
 * Upstream: apiserver, pkg/authentication/request/x509.
 */
export function clientCertificate({
  config,
  clock,
  gates,
  metrics,
}: AuthenticationEnvironment): Authenticator {
  const verify = verificationCache(clock, (certificate, authorities, now) =>
    import("./verified-user.ts").then(({ verifiedUser }) =>
      verifiedUser(certificate, authorities, now, gates),
    ),
  );
  const observed = ({ authentication, notAfter }: VerifiedUser) => {
    if (notAfter !== undefined) metrics.certificateLives.observe("", (notAfter - clock.now()) / 1000);
    return authentication;
  };
  return (_request, { certificate }) => {
    if (certificate === undefined) return noOpinion;
    const clientCa = config.clientCa?.() ?? "";
    const ownCa = config.certificateAuthority.pem();
    if (clientCa === "" && ownCa === "") return noOpinion;
    const verified = verify(certificate, clientCa, ownCa);
    return verified instanceof Promise ? verified.then(observed) : observed(verified);
  };
}
