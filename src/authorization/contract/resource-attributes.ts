import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { ResourceRequestInfo } from "../../request/request-info.ts";
import type { AuthorizationAttributes } from "./authorizer.ts";

/**
 * The access to check on a resource when there is no request to derive it from. Upstream:
 * `authorizer.AttributesRecord`.
 */
export interface ResourceAccessQuestion {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Default: none, which is the resource itself. */
  readonly subresource?: string;
  /** Default: none. */
  readonly fieldSelector?: string;
  /** Default: none. */
  readonly labelSelector?: string;
}

/** The attributes for an access check of the server itself. */
export function resourceAttributes(
  user: UserInfo,
  question: ResourceAccessQuestion,
): AuthorizationAttributes {
  return { user, info: resourceQuestion(question) };
}

/** The same without a user. */
export function resourceQuestion(question: ResourceAccessQuestion): ResourceRequestInfo {
  return {
    subresource: "",
    fieldSelector: "",
    labelSelector: "",
    ...question,
    isResourceRequest: true,
    isBelowNamespace: question.namespace !== "",
    path: "",
    parts: [],
  };
}
