import type { UserInfo } from "../apimachinery/user-info.ts";
import { type Authentication, noOpinion } from "./authenticator.ts";
import type { TokenAuthenticator } from "./bearer-token.ts";

const allAuthenticated = "system:authenticated";
const allUnauthenticated = "system:unauthenticated";

/** Tokens of a token file, and those the cluster handed out itself. */
export class StaticTokens {
  // By a checksum of the whole token, and then compared to the end: finding one takes no time that depends on how much
  // of a guess was right.
  readonly #known = new Map<number, KnownToken[]>();

  add(token: string, user: UserInfo): void {
    const answer: Authentication = { type: "authenticated", user: authenticated(user) };
    const sum = checksum(token);
    const others = (this.#known.get(sum) ?? []).filter((known) => known.token !== token);
    this.#known.set(sum, [...others, { token, answer }]);
  }

  /** A new token that authenticates as this user. Nobody can guess it. */
  issue(user: UserInfo): string {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.add(token, user);
    return token;
  }

  readonly authenticate: TokenAuthenticator = (token) => {
    const candidates = this.#known.get(checksum(token)) ?? [];
    return candidates.find((known) => isSame(known.token, token))?.answer ?? noOpinion;
  };
}

interface KnownToken {
  readonly token: string;
  readonly answer: Authentication;
}

/** Everybody who is somebody belongs to `system:authenticated`. */
export function authenticated(user: UserInfo): UserInfo {
  const { groups } = user;
  if (groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)) return user;
  return { ...user, groups: [...groups, allAuthenticated] };
}

/** FNV-1a, which needs no secret: it only has to take in every character. */
function checksum(token: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < token.length; at += 1) sum = Math.imul(sum ^ token.charCodeAt(at), 0x01000193);
  return sum;
}

/** Compares all characters, wherever the first difference is. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
