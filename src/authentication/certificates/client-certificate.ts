import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import { type Authenticator, noOpinion } from "../contract/authenticator.ts";
import { verificationCache } from "./verification-cache.ts";

/**
 * Authenticates by the certificate of the TLS connection: the common name is the user, and the organizations are the groups.
 * The certificate is verified by the clock of the cluster. The code for that is loaded with the first certificate.
 * Upstream: apiserver, pkg/authentication/request/x509.
 */
export function clientCertificate({ config, clock, gates }: AuthenticationEnvironment): Authenticator {
  const authenticate = verificationCache(clock, (certificate, authorities, now) =>
    import("./verified-user.ts").then(({ verifiedUser }) =>
      verifiedUser(certificate, authorities, now, gates),
    ),
  );
  return (_request, { certificate }) => {
    if (certificate === undefined) return noOpinion;
    const clientCa = config.clientCa?.() ?? "";
    const ownCa = config.certificateAuthority.pem();
    return clientCa === "" && ownCa === "" ? noOpinion : authenticate(certificate, clientCa, ownCa);
  };
}
