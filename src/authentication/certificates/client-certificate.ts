import type { PeerCertificate } from "../../request/peer.ts";
import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import { type Authentication, type Authenticator, noOpinion } from "../contract/authenticator.ts";

/** How long a verified certificate is not verified again, in milliseconds. */
const verifiedMilliseconds = 10_000;

/** A certificate whose verification has ended, or goes on. */
interface Verified {
  /** The authorities that it was verified with: those of the option, and the cluster's own. */
  readonly clientCa: string;
  readonly ownCa: string;
  readonly from: number;
  readonly until: number;
  readonly answer: Authentication | Promise<Authentication>;
}

/**
 * Authenticates by the certificate of the TLS connection: the common name is the user, and the organizations are the groups.
 * The certificate is verified by the clock of the cluster. The code for that is loaded with the first certificate.
 * Upstream: apiserver, pkg/authentication/request/x509.
 */
export function clientCertificate(environment: AuthenticationEnvironment): Authenticator {
  const { config, clock } = environment;
  const connections = new WeakMap<PeerCertificate, Verified>();
  return (_request, { certificate }) => {
    if (certificate === undefined) return noOpinion;
    const clientCa = config.clientCa?.() ?? "";
    const ownCa = config.certificateAuthority.pem();
    if (clientCa === "" && ownCa === "") return noOpinion;
    const now = clock.now();
    const known = connections.get(certificate);
    const isCurrent = known !== undefined && known.clientCa === clientCa && known.ownCa === ownCa;
    if (isCurrent && known.from <= now && now < known.until) return known.answer;
    const answer = import("./verified-user.ts").then(({ verifiedUser }) =>
      verifiedUser(certificate, `${clientCa}\n${ownCa}`, now, environment.gates),
    );
    const verified = { clientCa, ownCa, from: now, until: now + verifiedMilliseconds, answer };
    connections.set(certificate, verified);
    return answer.then((settled) => {
      // From now on, requests of the connection need not wait.
      if (connections.get(certificate) === verified)
        connections.set(certificate, { ...verified, answer: settled });
      return settled;
    });
  };
}
