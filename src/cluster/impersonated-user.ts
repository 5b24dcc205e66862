import type { UserInfo } from "../apimachinery/user-info.ts";
import { impersonationOf, type WantedUser, wantedUserOf } from "../authentication/impersonation.ts";
import type { Authorizer } from "../authorization/contract/authorizer.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { forbiddenRequest } from "../endpoints/requests/forbidden-request.ts";
import type { ApiRequest } from "../request/handler.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { OpenEntry } from "../scenario/logged-request.ts";

/** A request with headers that name another user. */
export interface ImpersonatingRequest {
  /** The user whose credentials the request has. */
  readonly user: UserInfo;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  /** The entry of the log, which notes the other user. */
  readonly entry: OpenEntry | undefined;
}

/**
 * The user that a request wants to be.
 * @throws {ImpersonationError} without a user
 * @throws {StatusError} forbidden for the first permission that the user lacks
 */
export async function impersonatedUser(
  { user, request, info, entry }: ImpersonatingRequest,
  authorize: Authorizer,
  { isEnabled, since }: FeatureGates,
): Promise<UserInfo> {
  if (isEnabled("ConstrainedImpersonation")) {
    const wanted = wantedUserOf(request.headers, since);
    if (asksForNothing(wanted)) return user;
    const { constrainedUser } = await import("./constrained-impersonation.ts");
    const impersonated = await constrainedUser({ user, request, info, since }, wanted, authorize);
    if (entry !== undefined) {
      entry.impersonatedUser = impersonated.user;
      entry.impersonationConstraint = impersonated.constraint;
    }
    return impersonated.user;
  }
  const impersonation = impersonationOf(request.headers, since);
  if (impersonation === undefined) return user;
  if (entry !== undefined) entry.impersonatedUser = impersonation.user;
  for (const permission of impersonation.permissions) {
    const { verdict, reason } = await authorize({ user, info: permission, request });
    if (verdict !== "allow") throw forbiddenRequest(user, permission, reason);
  }
  return impersonation.user;
}

function asksForNothing({ username, uid, groups, extras }: WantedUser): boolean {
  return username === "" && uid === "" && groups.length === 0 && extras.length === 0;
}
