import type { UserInfo } from "../apimachinery/user-info.ts";
import type { AuthorizationAttributes } from "./authorizer.ts";

/** What somebody wants to do, where no request says so: upstream's AttributesRecord. */
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

/** The attributes of a question that the server asks on its own account: may this user do that? */
export function resourceAttributes(
  user: UserInfo,
  question: ResourceAccessQuestion,
): AuthorizationAttributes {
  const info = {
    subresource: "",
    fieldSelector: "",
    labelSelector: "",
    ...question,
    isResourceRequest: true,
    path: "",
    parts: [],
  } as const;
  return { user, info };
}
