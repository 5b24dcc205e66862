import type { UserInfo } from "../apimachinery/user-info.ts";
import type { ApiRequest } from "../request/handler.ts";
import type { Peer } from "../request/peer.ts";

/**
 * What an authenticator says of a request: who it is, that its credentials are wrong, or nothing at all.
 * Only when all of them say nothing is the request anonymous.
 */
export type Authentication =
  | { readonly type: "authenticated"; readonly user: UserInfo }
  | { readonly type: "rejected"; readonly message: string }
  | { readonly type: "noOpinion" };

export type Authenticator = (request: ApiRequest, peer: Peer) => Promise<Authentication> | Authentication;

export const noOpinion: Authentication = { type: "noOpinion" };

/** The first that knows the user wins; a rejection counts only when nobody does. */
export function anyOf(authenticators: readonly Authenticator[]): Authenticator {
  const [only] = authenticators;
  if (only !== undefined && authenticators.length === 1) return only;
  return async (request, peer) => {
    let rejection: Authentication | undefined;
    for (const authenticate of authenticators) {
      const answer = await authenticate(request, peer);
      if (answer.type === "authenticated") return answer;
      if (answer.type === "rejected") rejection ??= answer;
    }
    return rejection ?? noOpinion;
  };
}
