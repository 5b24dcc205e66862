import { forbidden, StatusError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { RequestInfo } from "../../request/request-info.ts";

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
export function forbiddenStatusError(user: UserInfo, info: RequestInfo, reason: string): StatusError {
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
