import type { Since } from "../apimachinery/release.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { impersonationOf } from "../authentication/impersonation.ts";
import type { Authorizer } from "../authorization/contract/authorizer.ts";
import { forbiddenRequest } from "../endpoints/requests/forbidden-request.ts";
import type { ApiRequest } from "../request/handler.ts";
import type { OpenEntry } from "../scenario/logged-request.ts";

/** A request with headers that name another user. */
export interface ImpersonatingRequest {
  /** The user whose credentials the request has. */
  readonly user: UserInfo;
  readonly request: ApiRequest;
  /** The entry of the log, which notes the other user. */
  readonly entry: OpenEntry | undefined;
}

/**
 * The user that a request wants to be.
 * @throws {ImpersonationError} without a user
 * @throws {StatusError} forbidden for the first permission that the user lacks
 */
export async function impersonatedUser(
  { user, request, entry }: ImpersonatingRequest,
  authorize: Authorizer,
  since: Since,
): Promise<UserInfo> {
  const impersonation = impersonationOf(request.headers, since);
  if (impersonation === undefined) return user;
  if (entry !== undefined) entry.impersonatedUser = impersonation.user;
  for (const info of impersonation.permissions) {
    const { verdict, reason } = await authorize({ user, info, request });
    if (verdict !== "allow") throw forbiddenRequest(user, info, reason);
  }
  return impersonation.user;
}
