/** The prefix of the headers that name another user. */
export const impersonationPrefix = "impersonate-";

/** Headers that change the groups, the uid or the extras of no user; upstream answers 500 in plain text. */
export class ImpersonationError extends Error {
  override readonly name = "ImpersonationError";
}
