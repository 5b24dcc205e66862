import { anonymous, type UserInfo } from "../apimachinery/user-info.ts";
import { type Authentication, noOpinion } from "./authenticator.ts";

const allAuthenticated = "system:authenticated";
const allUnauthenticated = "system:unauthenticated";

/** The tokens of a token file, and those that the cluster issued. */
export class StaticTokens {
  // By checksum, then compared in constant time: a lookup takes the same time however much of a guess is right.
  readonly #known = new Map<number, KnownToken[]>();

  constructor(tokens: Iterable<readonly [token: string, user: UserInfo]> = []) {
    for (const [token, user] of tokens) this.add(token, user);
  }

  add(token: string, user: UserInfo): void {
    const answer: Authentication = { type: "authenticated", user: authenticated(user) };
    const sum = checksum(token);
    const others = (this.#known.get(sum) ?? []).filter((known) => known.token !== token);
    this.#known.set(sum, [...others, { token, answer }]);
  }

  /** Issues a random token that authenticates as this user. */
  issue(user: UserInfo): string {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.add(token, user);
    return token;
  }

  readonly authenticate = (token: string): Authentication => {
    const candidates = this.#known.get(checksum(token)) ?? [];
    return candidates.find((known) => isSameToken(known.token, token))?.answer ?? noOpinion;
  };
}

interface KnownToken {
  readonly token: string;
  readonly answer: Authentication;
}

/** Adds the group `system:authenticated` to a user that is not anonymous. */
export function authenticated(user: UserInfo): UserInfo {
  const { groups } = user;
  if (
    user.name === anonymous.name ||
    groups.includes(allAuthenticated) ||
    groups.includes(allUnauthenticated)
  )
    return user;
  return { ...user, groups: [...groups, allAuthenticated] };
}

/** FNV-1a. It needs no secret, because it only has to include every character. */
function checksum(token: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < token.length; at += 1) sum = Math.imul(sum ^ token.charCodeAt(at), 0x01000193);
  return sum;
}

/** Whether two tokens are the same. It compares all characters, so that the time does not depend on the first difference. */
export function isSameToken(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
