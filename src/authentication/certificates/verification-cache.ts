import type { Clock } from "../../apimachinery/clock.ts";
import type { PeerCertificate } from "../../request/peer.ts";

/** How long a verified certificate is not verified again, in milliseconds. */
const verifiedMilliseconds = 10_000;

/** A certificate whose verification has ended, or goes on. */
interface Verified<T> {
  readonly authorities: string;
  readonly ownAuthority: string;
  readonly from: number;
  readonly until: number;
  readonly result: T | Promise<T>;
}

/** Verifies a certificate by authorities in PEM. `now` is in milliseconds since the epoch. */
type Verify<T> = (certificate: PeerCertificate, authorities: string, now: number) => Promise<T>;

/**
 * Verifies the certificate of a connection once in a while, by the clock of the cluster, and again when the authorities have changed: those of an
 * option, and the cluster's own, both in PEM.
 */
export function verificationCache<T>(
  clock: Clock,
  verify: Verify<T>,
): (certificate: PeerCertificate, authorities: string, ownAuthority: string) => T | Promise<T> {
  const connections = new WeakMap<PeerCertificate, Verified<T>>();
  return (certificate, authorities, ownAuthority) => {
    const now = clock.now();
    const known = connections.get(certificate);
    const isCurrent =
      known !== undefined && known.authorities === authorities && known.ownAuthority === ownAuthority;
    if (isCurrent && known.from <= now && now < known.until) return known.result;
    const result = verify(certificate, `${authorities}\n${ownAuthority}`, now);
    const verified = { authorities, ownAuthority, from: now, until: now + verifiedMilliseconds, result };
    connections.set(certificate, verified);
    return result.then((settled) => {
      // From now on, requests of the connection need not wait.
      if (connections.get(certificate) === verified) {
        connections.set(certificate, { ...verified, result: settled });
      }
      return settled;
    });
  };
}
