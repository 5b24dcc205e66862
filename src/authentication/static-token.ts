import type { UserInfo } from "../apimachinery/user-info.ts";
import { type Authentication, noOpinion } from "./authenticator.ts";
import type { TokenAuthenticator } from "./bearer-token.ts";

const allAuthenticated = "system:authenticated";
const allUnauthenticated = "system:unauthenticated";

/** Tokens of a token file, and those the cluster handed out itself. */
export class StaticTokens {
  // Found by a hash of the whole token with a seed that nobody outside of the engine knows, and compared only where that
  // is the same: finding one takes no time that depends on how much of a guess was right.
  readonly #known = new Map<string, Authentication>();

  add(token: string, user: UserInfo): void {
    this.#known.set(token, { type: "authenticated", user: authenticated(user) });
  }

  /** A new token that authenticates as this user. Nobody can guess it. */
  issue(user: UserInfo): string {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.add(token, user);
    return token;
  }

  readonly authenticate: TokenAuthenticator = (token) => this.#known.get(token) ?? noOpinion;
}

/** Everybody who is somebody belongs to `system:authenticated`. */
export function authenticated(user: UserInfo): UserInfo {
  const { groups } = user;
  if (groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)) return user;
  return { ...user, groups: [...groups, allAuthenticated] };
}
