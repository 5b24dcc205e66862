import { hexadecimal } from "../apimachinery/der.ts";
import type { ApiRequest } from "../request/handler.ts";
import type { Peer } from "../request/peer.ts";
import { bearerTokenOf } from "./bearer-token.ts";
import { isSameToken } from "./contract/token-table.ts";
import { webSocketTokenOf } from "./web-socket-token.ts";

interface Expired {
  readonly credentials: readonly string[];
  /** Counts a request that is refused. */
  readonly refused: () => void;
}

/**
 * Credentials of any kind that a test has made expire. Like the union of the methods, it refuses a request if none of its
 * credentials is left.
 */
export class ExpiredCredentials {
  #expired: readonly Expired[] = [];

  /** Whether requests can skip the check. */
  get isEmpty(): boolean {
    return this.#expired.length === 0;
  }

  /** Makes credentials expire. The result makes them valid again. */
  expire(credentials: readonly string[], refused: () => void): () => void {
    const expired = { credentials, refused };
    this.#expired = [...this.#expired, expired];
    return () => {
      this.#expired = this.#expired.filter((other) => other !== expired);
    };
  }

  /** Whether all credentials of a request have expired; counts the request if so. */
  refuse(request: ApiRequest, peer: Peer): boolean {
    if (this.isEmpty) return false;
    const causes = credentialsOf(request, peer).map((credential) => this.#causeOf(credential));
    const [cause] = causes;
    if (cause === undefined || causes.includes(undefined)) return false;
    cause.refused();
    return true;
  }

  /** Whether a token has expired. */
  hasToken(token: string): boolean {
    return this.#causeOf(ofToken(token)) !== undefined;
  }

  #causeOf(credential: string): Expired | undefined {
    return this.#expired.find(({ credentials }) =>
      credentials.some((expired) => isSameToken(expired, credential)),
    );
  }
}

/** The credentials of a request, of each kind at most one. */
export function credentialsOf(request: ApiRequest, { certificate }: Peer): readonly string[] {
  const tokens = [bearerTokenOf(request), webSocketTokenOf(request)];
  return [
    ...tokens
      .filter((token) => typeof token === "string" && token !== "")
      .map((token) => ofToken(`${token}`)),
    ...(certificate === undefined ? [] : [`certificate ${hexadecimal(certificate.raw)}`]),
  ];
}

function ofToken(token: string): string {
  return `token ${token}`;
}
