import { forbidden, internalError, StatusError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { RequestInfo } from "../../request/request-info.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext } from "../contract/scope.ts";

/**
 * Checks the permission to create, for an update that creates. Upstream: apiserver, pkg/endpoints/handlers/update.go, `withAuthorization`.
 * @throws {StatusError} forbidden, or an internal error if an authorizer has failed
 */
export async function authorizeCreation(
  { user, info: asked }: ResourceContext,
  { authorize, gates }: EndpointEnvironment,
): Promise<void> {
  const info = { ...asked, verb: "create" };
  const { verdict, reason, error } = await authorize({ user, info });
  if (verdict === "allow") return;
  if (error !== undefined) throw internalError(error);
  if (gates.since("1.32")) throw forbiddenStatusError(user, info, reason);
  throw forbidden({ group: info.group, resource: info.resource }, info.name, reason);
}

/**
 * The error for a request that the authorizer does not permit. Only its response tells browsers not to guess a content
 * type (apiserver, pkg/endpoints/handlers/responsewriters/errors.go: Forbidden).
 */
export function forbiddenRequest(user: UserInfo, info: RequestInfo, reason: string): StatusError {
  return new StatusError(forbiddenStatusError(user, info, reason).status, [
    ["X-Content-Type-Options", "nosniff"],
  ]);
}

/** The same error as handlers return it. Upstream: ForbiddenStatusError. */
function forbiddenStatusError(user: UserInfo, info: RequestInfo, reason: string): StatusError {
  const because = reason === "" ? "" : `: ${reason}`;
  const who = goQuote(user.name);
  if (!info.isResourceRequest) {
    const text = `User ${who} cannot ${info.verb} path ${goQuote(info.path)}`;
    return forbidden({ group: "", resource: "" }, "", sanitized(text) + because);
  }
  const { verb, resource, subresource, group, namespace, name } = info;
  const what = goQuote(subresource === "" ? resource : `${resource}/${subresource}`);
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(namespace)}`;
  const text = `User ${who} cannot ${verb} resource ${what} in API group ${goQuote(group)} ${where}`;
  return forbidden({ group, resource }, name, sanitized(text) + because);
}

/** Text that browsers do not interpret as HTML. */
export function sanitized(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
