import type { UserInfo } from "../apimachinery/user-info.ts";
import type { ApiRequest } from "../request/handler.ts";
import type { Peer } from "../request/peer.ts";

/**
 * The result of an authenticator: a user, a rejection of the credentials, or no opinion. A request is anonymous only
 * if no authenticator has an opinion.
 */
export type Authentication =
  | { readonly type: "authenticated"; readonly user: UserInfo }
  | { readonly type: "rejected"; readonly message: string }
  | { readonly type: "noOpinion" };

export type Authenticator = (request: ApiRequest, peer: Peer) => Promise<Authentication> | Authentication;

export const noOpinion: Authentication = { type: "noOpinion" };

/**
 * The first authenticator that recognizes the user decides. A rejection counts only if no other one recognizes the
 * user.
 */
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
