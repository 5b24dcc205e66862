import type { Clock } from "../apimachinery/clock.ts";
import { anonymous, type UserInfo } from "../apimachinery/user-info.ts";
import { type Authentication, noOpinion } from "./contract/authenticator.ts";
import { TokenTable } from "./contract/token-table.ts";

const allAuthenticated = "system:authenticated";
const allUnauthenticated = "system:unauthenticated";

/** The tokens of a token file, and those that the cluster issued. */
export class StaticTokens {
  readonly #known = new TokenTable<Known>();
  readonly #clock: Clock;
  #named: ((user: UserInfo) => UserInfo) | undefined;

  constructor(clock: Clock, tokens: Iterable<readonly [token: string, user: UserInfo]> = []) {
    this.#clock = clock;
    for (const [token, user] of tokens) this.#add(token, user, Number.POSITIVE_INFINITY);
  }

  #add(token: string, user: UserInfo, expires: number): void {
    this.#known.set(token, { answer: { type: "authenticated", user: authenticated(user) }, expires });
  }

  /** Issues a random token that authenticates as this user, for as long as the cluster lives or for `lifetime` milliseconds. */
  issue(user: UserInfo, lifetime: number = Number.POSITIVE_INFINITY): string {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#add(token, user, this.#clock.now() + lifetime);
    return token;
  }

  /** Users have names that this function says, from now on. */
  nameAs(named: (user: UserInfo) => UserInfo): void {
    this.#named = named;
  }

  readonly authenticate = (token: string): Authentication => {
    const known = this.#known.get(token);
    if (known === undefined) return noOpinion;
    if (known.expires !== Number.POSITIVE_INFINITY && this.#clock.now() >= known.expires) return noOpinion;
    const { answer } = known;
    if (this.#named === undefined || answer.type !== "authenticated") return answer;
    return { ...answer, user: this.#named(answer.user) };
  };
}

interface Known {
  readonly answer: Authentication;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

/** Adds the group `system:authenticated` to a user that is not anonymous. */
export function authenticated(user: UserInfo): UserInfo {
  const { groups } = user;
  if (user.name === anonymous.name) return user;
  if (groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)) return user;
  return { ...user, groups: [...groups, allAuthenticated] };
}
