import { anonymous, type UserInfo } from "../apimachinery/user-info.ts";
import { type Authentication, noOpinion } from "./contract/authenticator.ts";
import { TokenTable } from "./contract/token-table.ts";

const allAuthenticated = "system:authenticated";
const allUnauthenticated = "system:unauthenticated";

/** The tokens of a token file, and those that the cluster issued. */
export class StaticTokens {
  readonly #known = new TokenTable<Authentication>();

  constructor(tokens: Iterable<readonly [token: string, user: UserInfo]> = []) {
    for (const [token, user] of tokens) this.add(token, user);
  }

  add(token: string, user: UserInfo): void {
    this.#known.set(token, { type: "authenticated", user: authenticated(user) });
  }

  /** Issues a random token that authenticates as this user. */
  issue(user: UserInfo): string {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.add(token, user);
    return token;
  }

  readonly authenticate = (token: string): Authentication => this.#known.get(token) ?? noOpinion;
}

/** Adds the group `system:authenticated` to a user that is not anonymous. */
export function authenticated(user: UserInfo): UserInfo {
  const { groups } = user;
  if (user.name === anonymous.name) return user;
  if (groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)) return user;
  return { ...user, groups: [...groups, allAuthenticated] };
}
