import { sha256 } from "../apimachinery/sha.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { noOpinion } from "./authenticator.ts";
import type { TokenAuthenticator } from "./bearer-token.ts";

const allAuthenticated = "system:authenticated";
const allUnauthenticated = "system:unauthenticated";

/** Tokens of a token file, and those the cluster handed out itself. */
export class StaticTokens {
  // Keyed by digest, so that looking one up takes no time that depends on how much of a guess was right.
  readonly #users = new Map<string, UserInfo>();

  add(token: string, user: UserInfo): void {
    this.#users.set(digest(token), authenticated(user));
  }

  readonly authenticate: TokenAuthenticator = (token) => {
    const user = this.#users.get(digest(token));
    return user === undefined ? noOpinion : { type: "authenticated", user };
  };
}

/** Everybody who is somebody belongs to `system:authenticated`. */
export function authenticated(user: UserInfo): UserInfo {
  const { groups } = user;
  if (groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)) return user;
  return { ...user, groups: [...groups, allAuthenticated] };
}

function digest(token: string): string {
  return sha256(token).join();
}
